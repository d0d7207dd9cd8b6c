/* From how many elements on which way of running elementwise work pays. Found with tests/bench and
 * loops over arrays of 1 to 10⁶ elements on a Zen 4 core with AVX-512 and 1 MiB of second-level cache;
 * none of them changes a bit of a result. */
#ifndef ARRAY_ELEMENTWISE_LIMITS_H
#define ARRAY_ELEMENTWISE_LIMITS_H

enum {
    /* Plain loops over a result of one step: 256 elements take as long as the general way needs to find
     * out about its operands, 60 ns. */
    FEW_ELEMENTS = 256,
    /* Arithmetic one element after the other: a vectorised loop has begun by then. */
    FEW_IN_A_LOOP = 16,
    /* Programs of several steps whose steps run one after the other over a handful of elements. */
    FEW_STEPWISE = 32,
    /* Expressions in one pass, and rules as tile programs. */
    FUSED_ELEMENTS = 64,
    /* Results in the memory of operands: a small block is quicker taken from the pool. */
    LARGE_ELEMENTS = 2048,
    /* The most that is overwritten: it must be whole, so an interrupt waits, up to 30 ms. */
    WHOLE_ELEMENTS = 1 << 22,
    /* Rows shorter than this are brought together before a loop is called. */
    SHORT_ROWS = 32,
    /* Registers, where at least one step of so many stays in them: loops between them get short tiles.
     * With one step of four, loops alone take two thirds of the time; with two of four, as long. */
    REGISTER_SHARE = 3,
    /* Elements of a cell when all steps are loops: three of them fit into the first cache. */
    CHUNK_ELEMENTS = 512,
    /* Elements between two looks at the interrupt flag: 0.1 ms. */
    POLL_ELEMENTS = 1 << 18,
    /* Elements that one thread does at a time; waking another costs as much as 10 000. */
    PIECE_ELEMENTS = 1 << 16,
};

#endif
