/* The module that Python imports. */
/* Plays by the body of this name; an error where there is none that the processor runs. */
static PyObject *use_body(PyObject *self, PyObject *name) {
    (void)self;
    for (size_t k = 0; k < number_of_bodies; k++) {
        if (PyUnicode_Check(name) && !PyUnicode_CompareWithASCIIString(name, all_bodies[k].name) &&
            is_supported(all_bodies[k].name)) {
            chosen_body = all_bodies[k].body;
            body_name = all_bodies[k].name;
            return Py_NewRef(Py_None);
        }
    }
    PyErr_Format(PyExc_ValueError, "no body %R runs on this processor", name);
    return NULL;
}

static PyObject *name_body(PyObject *self, PyObject *none) {
    (void)self;
    (void)none;
    return PyUnicode_FromString(body_name);
}

/* The names of the bodies that this processor runs, the best one last. */
static PyObject *name_bodies(PyObject *self, PyObject *none) {
    PyObject *names = PyList_New(0);
    (void)self;
    (void)none;
    for (size_t k = 0; names && k < number_of_bodies; k++) {
        if (!is_supported(all_bodies[k].name)) continue;
        PyObject *name = PyUnicode_FromString(all_bodies[k].name);
        if (!name || PyList_Append(names, name)) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

static PyMethodDef own_methods[] = {
    {"use_body", use_body, METH_O, "Play by the body of this name, such as v2."},
    {"body", name_body, METH_NOARGS, "The name of the body that plays."},
    {"bodies", name_bodies, METH_NOARGS, "The bodies that this processor runs, the best last."},
    {NULL, NULL, 0, NULL}};

static int prepare(PyObject *module) {
    choose_body();
    if (!chosen_body) {
        PyErr_SetString(PyExc_ImportError, "the machine code does not run on this processor");
        return -1;
    }
    if (!dtype_attribute) dtype_attribute = PyUnicode_InternFromString("dtype");
    if (!dtype_attribute || PyModule_AddFunctions(module, own_methods)) return -1;
    return PyModule_AddStringConstant(module, "hashes", hashes);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, prepare}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "The engine as machine code.", 0, entry_methods, slots,
    NULL,                  NULL,      NULL};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
