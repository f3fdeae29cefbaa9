/* How an entry point's arguments are taken from Python and checked, before machine code sees them.
 *
 * A table generated from the Python source describes each parameter. An array has to have the dtype
 * that the entry point was compiled for, be contiguous, be writable where it is written to, and have
 * the lengths that the table asks for; a number has to lie in its range. */
#ifndef CATAN_ARGUMENTS_H
#define CATAN_ARGUMENTS_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

enum { MOST_DIMENSIONS = 2 };

/* A condition on a length: `plus` and `times` a number that another argument holds. */
enum { EXACTLY, AT_LEAST, AT_LEAST_OR_NONE };
enum { NOTHING, NUMBER, LENGTH, FIELD };

typedef struct {
    int rule;
    int64_t plus, times;
    int source;    /* of the number: nothing, a parameter, an array's length, a record's field */
    int parameter; /* which parameter it is read from */
    int at;        /* the dimension, or the field's offset in bytes */
    int size;      /* of the field in bytes */
} Length;

enum { ARRAY, INTEGER, TRUTH, REAL };

typedef struct {
    const char *name;
    int kind;
    /* of a number */
    int64_t low, high;
    /* of an array */
    int dtype; /* its place in the table of dtypes */
    int dimensions;
    int is_written;
    Length length[MOST_DIMENSIONS];
    const int64_t *high_by; /* of a number: its bound for each value of parameter `by`, or NULL */
    int by;
    int holds_range; /* whether its values, as many as its length is asked for, lie in low..high */
} Parameter;

typedef struct {
    const char *name;
    int parameters;
    int start, stop; /* which parameters bound the rows, or -1 */
    const Parameter *parameter;
} Entry;

typedef struct {
    const char *name;
    const char *descr; /* what str(dtype.descr) gives */
    Py_ssize_t itemsize;
    PyObject *known; /* the dtype object that was found equal last, compared by identity first */
} Dtype;

typedef union {
    Py_buffer array;
    int64_t integer;
    double real;
} Value;

extern Dtype dtypes[];
extern PyObject *dtype_attribute; /* the string "dtype" */

/* Fills `values` from `arguments`; 0 with an exception set where they do not fit. */
int take(const Entry *entry, PyObject *const *arguments, Py_ssize_t count, Value *values);

/* Gives the arrays back. */
void release(const Entry *entry, Value *values);

#endif
