/* Straight-line programs of elementwise operations on Floats, run tile by tile.
 *
 * A tile is as many elements as a few vector registers hold. Each step is a function that leaves
 * its result in those registers and ends in a call of the next step's, so that a chain of
 * operations touches memory only for what it reads; what a later step needs again is kept in the
 * first cache. The steps are exact or rounded once, or are the loops of elementwise_run on a tile's
 * elements: the bits are those of the operations done one by one on whole arrays. */
#ifndef ARRAY_ELEMENTWISE_TILE_H
#define ARRAY_ELEMENTWISE_TILE_H

#include "array/simd/simd.h"

enum {
    TILE_STEPS = 160,  /* the longest program */
    TILE_LEAVES = 24,  /* what it reads */
    TILE_OUTPUTS = 12, /* what it gives */
    TILE_CELLS = 96,   /* leaves, outputs and what is kept at one time */
    TILE_LONGEST = 64, /* elements of the largest tile */
    TILE_FEW = 32,
    TILE_FEW_STEPS = 12,
};

/* One operation; its operands are leaves (0 … n_leaves − 1) or results of earlier steps (n_leaves +
 * step). Comparisons give truths, which only where takes (as its first operand). */
typedef struct {
    uint8_t f; /* an Elementwise */
    uint8_t operand[3];
} TileStep;

/* One instruction of the machine. */
typedef struct {
    void (*run)(void); /* what it is called as is known to array/simd/tile.c alone */
    Loop loop;
    uint8_t a, b, c, out; /* cells */
} TileCode;

typedef struct {
    SimdLevel level;
    int n_leaves, n_outputs, n_cells; /* cells: leaves, then outputs, then what is kept */
    int n_steps;                      /* of those that an output needs */
    bool reads[TILE_LEAVES];          /* whether a leaf is needed */
    TileStep step[TILE_STEPS];        /* those, numbered anew */
    uint8_t output[TILE_OUTPUTS];
    TileCode code[2 * TILE_STEPS + TILE_OUTPUTS + 1];
} TileProgram;

/* Where a leaf's elements are: one after the other, or one number for all. */
typedef struct {
    const double *data;
    bool repeats;
} TileLeaf;

/* Puts together the program of these steps whose results (or leaves) output[0 … n_outputs − 1] are
 * wanted. False when something has no Float loop or does not fit. */
bool tile_compile(TileProgram *to, SimdLevel level, int n_leaves, const TileStep *step, int n_steps,
                  const uint8_t *output, int n_outputs);
/* A program at work: where its cells are. One thread's. */
typedef struct {
    const TileProgram *program;
    const TileMachine *machine;
    const double *filled_from[TILE_LEAVES]; /* the number that fills a repeating leaf's cell */
    double *cell[TILE_CELLS];
    bool repeats[TILE_LEAVES + TILE_OUTPUTS];
    _Alignas(64) double kept[TILE_CELLS][TILE_LONGEST];
} TileRun;

void tile_begin(TileRun *r, const TileProgram *p);
/* Runs the program on n elements. An output may be the array of a leaf that does not repeat; the
 * numbers that repeat must not change from one call to the next. */
void tile_run(TileRun *r, const TileLeaf *leaf, double *const *out, int64_t n);

/* Whether a program is short and of + − × ÷ and negations alone. */
bool tile_is_arithmetic(const TileProgram *p);
/* tile_run for such a program and n ≤ TILE_FEW elements, without preparations. */
void tile_run_few(const TileProgram *p, const TileLeaf *leaf, double *const *out, int64_t n);

/* ---- the machine, once per instruction set (array/simd/tile.c) ---- */

/* Where operands of + − × ÷ are: in memory, or (the last result) in the registers. */
typedef enum { TILE_MM, TILE_RM, TILE_MR, TILE_RR } TileOperands;

struct TileMachine {
    int elements;                   /* of a tile */
    void (*arithmetic[6][4])(void); /* + − × ÷ and the guarded × and ÷, by TileOperands */
    void (*negate[2])(void);        /* in memory, in the registers */
    void (*load)(void);             /* from cell a */
    void (*store)(void);            /* to cell out */
    void (*loop)(void);             /* loop from cells a, b, c to cell out, and to the registers */
    void (*loop_truths)(void);      /* the same, but what it gives are no Floats */
    void (*end)(void);
    void (*fill)(double *cell, double v);
    /* n tiles; from one to the next the first n_moving cells move on. */
    void (*start)(const TileCode *code, double **cell, int n_moving, const bool *repeats,
                  int64_t n);
};

#endif
