/* Tile programs: straight-line programs of elementwise functions over leaves that broadcast. All
 * elementwise work on arrays is one, of a single step or of many.
 *
 * A tile is as many elements as eight vector registers hold. A step whose function stays in registers
 * leaves its result there and ends in a jump to the next step's instruction, so that a chain of
 * operations touches memory only for what it reads; what a later step needs again is kept in the first
 * cache. Other steps call their function's loop on the tile. The steps are exact or rounded once, so
 * the bits are those of the operations done one by one on whole arrays.
 *
 * run.c picks how to run a program: all at once, tile by tile, gathered from strides and other types,
 * shared among threads. few.c is for a handful of elements. */
#ifndef ARRAY_ELEMENTWISE_TILE_H
#define ARRAY_ELEMENTWISE_TILE_H

#include "array/simd/simd.h"

enum {
    TILE_STEPS = 160,  /* the longest program */
    TILE_LEAVES = 24,  /* what it reads */
    TILE_OUTPUTS = 12, /* what it gives */
    TILE_CELLS = 96,   /* leaves, outputs and what is kept at one time */
    TILE_LONGEST = 64, /* elements of the largest tile */
};

/* One function; its operands are leaves (0 … n_leaves − 1) or results of earlier steps (n_leaves +
 * step). */
typedef struct {
    uint8_t f; /* an Elementwise */
    uint8_t operand[3];
} TileStep;

/* What a program is made from. */
typedef struct {
    int n_leaves, n_steps, n_outputs;
    const TileStep *step;
    const uint8_t *output;  /* leaves or results */
    const DType *leaf_type; /* NULL: Floats */
    bool in_memory; /* every step by its loop: for one step on arrays that lie side by side */
} TileSource;

/* One instruction of the machine. */
typedef struct {
    void (*run)(void); /* what it is called as is known to simd/tile.c alone; NULL at the end */
    Loop loop;
    uint8_t a, b, c, out; /* cells */
    uint8_t step;         /* whose it is */
} TileCode;

typedef struct TileProgram {
    SimdLevel level;
    int n_leaves, n_steps, n_outputs, n_cells; /* cells: leaves, then outputs, then what is kept */
    bool uses_registers;     /* somewhere; else the loops take any number of elements */
    bool keeps;              /* cells besides leaves and outputs */
    bool of_floats;          /* all leaves and outputs are */
    bool reads[TILE_LEAVES]; /* whether a leaf is needed */
    uint8_t leaf_type[TILE_LEAVES], output_type[TILE_OUTPUTS]; /* DType */
    uint8_t output[TILE_OUTPUTS];
    int8_t last_output;   /* that is the last step's result; -1: none */
    const TileStep *step; /* those that an output needs, numbered anew */
    const TileCode *code;
    /* What the floor of derivatives has made of the program (ad/elementwise_gradient.h). */
    struct ElementwiseGradient *gradients;
} TileProgram;

/* The program of these steps; free it with mem_free. NULL when a step has no function for its operands'
 * types, which are not promoted, or it does not fit. */
TileProgram *tile_compile(SimdLevel level, const TileSource *source);
/* The program of f alone on operands of type t (where: and a condition), made once and kept. Its one step
 * is a loop: even for rows that meet columns that was quicker than registers, at every length. is_one: both operands are
 * the same leaf. */
TileProgram *tile_program(Elementwise f, DType t, bool is_one);
/* Gives back those that tile_program keeps. */
void tile_programs_free(void (*free_program)(TileProgram *p));

/* Runs a program over leaves that broadcast to shape, of any types that promote to what it reads,
 * into contiguous outputs of that shape. An output may be the array of a leaf that has this shape and
 * is contiguous. err: fails with ERR_MATH ("Int overflow in 300000 * …", "Int division by zero", "nan
 * does not fit an Int"), or when interrupted; with NULL interrupts wait, for programs of Floats. */
bool tile_run(const TileProgram *p, Array *const *leaf, const Shape *shape, Array *const *out,
              Error *err);

/* ---- a handful of Floats (few.c) ---- */

/* A leaf or a result as one row: its elements lie side by side (step 1), or are one that repeats (0). */
typedef struct {
    const double *data;
    int64_t step;
} TileRow;

/* f of n ≤ FEW_ELEMENTS elements of each operand; a function of one is given it twice. */
void tile_run_row(Elementwise f, const TileRow *x, const TileRow *y, const TileRow *z, double *out,
                  int64_t n);
/* tile_run where there are few elements; false, with nothing done, for others. */
bool tile_run_few(const TileProgram *p, Array *const *leaf, const Shape *shape, Array *const *out);

/* ---- the machine, once per instruction set (simd/tile.c) ---- */

/* Where the operands of a step are: in memory, or (the last result) in the registers. A function of one
 * operand has the first two. */
typedef enum { TILE_MM, TILE_RM, TILE_MR, TILE_RR } TileOperands;

struct TileMachine {
    int elements;                    /* of a tile */
    void (*step[EW_COUNT][4])(void); /* of functions in registers, by TileOperands */
    void (*load)(void);              /* from cell a */
    void (*store)(void);             /* to cell out */
    void (*loop)(void);              /* loop from cells a, b, c to cell out, and to the registers */
    void (*loop_to_memory)(void);    /* the same, but to the cell alone */
    void (*end)(void);
    void (*fill)(double *cell, double v);
    /* n tiles; from one to the next the first n_moving cells move on by that many bytes. */
    void (*start)(const TileCode *code, double **cell, int n_moving, const int *advance, int64_t n);
};

#endif
