#include "arguments.h"

#include <string.h>

PyObject *dtype_attribute;

static int refuse(const Entry *entry, const Parameter *parameter, PyObject *error, const char *why) {
    PyErr_Format(error, "%s: %s %s", entry->name, parameter->name, why);
    return 0;
}

static int is_described_by(PyObject *found, const Dtype *dtype) {
    PyObject *descr = PyObject_GetAttrString(found, "descr");
    if (!descr) return 0;
    PyObject *text = PyObject_Str(descr);
    Py_DECREF(descr);
    if (!text) return 0;
    int same = PyUnicode_CompareWithASCIIString(text, dtype->descr) == 0;
    Py_DECREF(text);
    return same;
}

/* Whether an array's dtype is the one compiled for; remembered, so that the next is found quickly. */
static int has_dtype(const Entry *entry, const Parameter *parameter, PyObject *argument) {
    Dtype *dtype = &dtypes[parameter->dtype];
    PyObject *found = PyObject_GetAttr(argument, dtype_attribute);
    if (!found) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: %s has to be an array of %s", entry->name,
                     parameter->name, dtype->name);
        return 0;
    }
    if (found == dtype->known) {
        Py_DECREF(found);
        return 1;
    }
    if (!is_described_by(found, dtype)) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "%s: %s has to be an array of %s, not of %S", entry->name,
                         parameter->name, dtype->name, found);
        Py_DECREF(found);
        return 0;
    }
    Py_XDECREF(dtype->known);
    dtype->known = found; /* the reference is kept, so that no other object gets its address */
    return 1;
}

static int take_array(const Entry *entry, const Parameter *parameter, PyObject *argument,
                      Py_buffer *view) {
    if (!has_dtype(entry, parameter, argument)) return 0;
    int flags = PyBUF_C_CONTIGUOUS | (parameter->is_written ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(argument, view, flags)) {
        PyErr_Clear();
        return refuse(entry, parameter, PyExc_ValueError,
                      parameter->is_written ? "has to be contiguous and writable"
                                            : "has to be contiguous");
    }
    if (view->ndim != parameter->dimensions || view->itemsize != dtypes[parameter->dtype].itemsize) {
        PyErr_Format(PyExc_ValueError, "%s: %s has %d dimensions, not %d", entry->name,
                     parameter->name, view->ndim, parameter->dimensions);
        PyBuffer_Release(view);
        return 0;
    }
    return 1;
}

/* An integer, or NumPy's; one beyond 63 bits is taken as the same 64 bits. */
static int take_integer(const Entry *entry, const Parameter *parameter, PyObject *argument,
                        int64_t *value) {
    PyObject *number = PyNumber_Index(argument);
    if (!number) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: %s has to be an integer", entry->name, parameter->name);
        return 0;
    }
    int overflow = 0;
    *value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow > 0) *value = (int64_t)PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        return refuse(entry, parameter, PyExc_OverflowError, "does not fit into 64 bits");
    }
    if (*value < parameter->low || *value > parameter->high) {
        PyErr_Format(PyExc_IndexError, "%s: %s is %lld, not from %lld to %lld", entry->name,
                     parameter->name, (long long)*value, (long long)parameter->low,
                     (long long)parameter->high);
        return 0;
    }
    return 1;
}

static int take_value(const Entry *entry, const Parameter *parameter, PyObject *argument,
                      Value *value) {
    switch (parameter->kind) {
    case ARRAY:
        return take_array(entry, parameter, argument, &value->array);
    case TRUTH: {
        int truth = PyObject_IsTrue(argument);
        value->integer = truth;
        return truth >= 0;
    }
    case REAL:
        value->real = PyFloat_AsDouble(argument);
        return !(value->real == -1.0 && PyErr_Occurred());
    default:
        return take_integer(entry, parameter, argument, &value->integer);
    }
}

static int64_t integer_at(const void *place, Py_ssize_t size) {
    switch (size) {
    case 1:
        return *(const int8_t *)place;
    case 2:
        return *(const int16_t *)place;
    case 4:
        return *(const int32_t *)place;
    default:
        return *(const int64_t *)place;
    }
}

/* The length that a condition names. */
static int64_t named_length(const Length *length, const Value *values) {
    const Value *source = &values[length->parameter];
    switch (length->source) {
    case NUMBER:
        return length->plus + length->times * source->integer;
    case LENGTH:
        return length->plus + length->times * source->array.shape[length->at];
    case FIELD:
        if (source->array.shape[0] == 0) return length->plus;
        return length->plus +
               length->times * integer_at((const char *)source->array.buf + length->at, length->size);
    default:
        return length->plus;
    }
}

static int is_met(const Length *length, Py_ssize_t found, const Value *values) {
    int64_t named = named_length(length, values);
    if (length->rule == EXACTLY) return found == named;
    return found >= named || (length->rule == AT_LEAST_OR_NONE && found == 0);
}

static int hold_their_range(const Entry *entry, const Parameter *parameter, const Py_buffer *view,
                            const Value *values) {
    int64_t from = entry->start >= 0 ? values[entry->start].integer : 0;
    int64_t to = named_length(&parameter->length[0], values);
    for (int64_t k = from; k < to; k++) {
        int64_t value = integer_at((const char *)view->buf + k * view->itemsize, view->itemsize);
        if (value < parameter->low || value > parameter->high) {
            PyErr_Format(PyExc_IndexError, "%s: %s[%lld] is %lld, not from %lld to %lld",
                         entry->name, parameter->name, (long long)k, (long long)value,
                         (long long)parameter->low, (long long)parameter->high);
            return 0;
        }
    }
    return 1;
}

static int fits(const Entry *entry, int k, const Value *values) {
    const Parameter *parameter = &entry->parameter[k];
    const Py_buffer *view = &values[k].array;
    if (parameter->length[0].rule == AT_LEAST_OR_NONE && view->shape[0] == 0) return 1;
    for (int d = 0; d < parameter->dimensions; d++) {
        if (!is_met(&parameter->length[d], view->shape[d], values)) {
            PyErr_Format(PyExc_ValueError, "%s: length %zd of %s in dimension %d does not fit",
                         entry->name, view->shape[d], parameter->name, d);
            return 0;
        }
    }
    return !parameter->holds_range || hold_their_range(entry, parameter, view, values);
}

/* Whether a number is within the bound that another one chooses. */
static int is_within(const Entry *entry, const Parameter *parameter, const Value *value,
                     const Value *values) {
    int64_t high = parameter->high_by[values[parameter->by].integer];
    if (value->integer <= high) return 1;
    PyErr_Format(PyExc_IndexError, "%s: %s is %lld, above %lld", entry->name, parameter->name,
                 (long long)value->integer, (long long)high);
    return 0;
}

/* Whether the rows are in order and each array has them; numbers have been checked one by one. */
static int fit_together(const Entry *entry, const Value *values) {
    if (entry->stop >= 0 && values[entry->start].integer > values[entry->stop].integer) {
        PyErr_Format(PyExc_IndexError, "%s: start is above stop", entry->name);
        return 0;
    }
    for (int k = 0; k < entry->parameters; k++) {
        const Parameter *parameter = &entry->parameter[k];
        if (parameter->kind == ARRAY ? !fits(entry, k, values)
                                     : parameter->high_by &&
                                           !is_within(entry, parameter, &values[k], values))
            return 0;
    }
    return 1;
}

static void release_first(const Entry *entry, Value *values, int taken) {
    for (int k = 0; k < taken; k++)
        if (entry->parameter[k].kind == ARRAY) PyBuffer_Release(&values[k].array);
}

void release(const Entry *entry, Value *values) {
    release_first(entry, values, entry->parameters);
}

int take(const Entry *entry, PyObject *const *arguments, Py_ssize_t count, Value *values) {
    if (count != entry->parameters) {
        PyErr_Format(PyExc_TypeError, "%s takes %d arguments, not %zd", entry->name,
                     entry->parameters, count);
        return 0;
    }
    for (int k = 0; k < entry->parameters; k++) {
        if (!take_value(entry, &entry->parameter[k], arguments[k], &values[k])) {
            release_first(entry, values, k);
            return 0;
        }
    }
    if (!fit_together(entry, values)) {
        release(entry, values);
        return 0;
    }
    return 1;
}
