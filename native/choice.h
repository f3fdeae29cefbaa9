/* Which of the bodies in bodies.h plays: the last that this processor runs. */
#include <string.h>

static const Body *chosen_body; /* not `body`: an entry point may have a parameter of that name */
static const char *body_name;

static const size_t number_of_bodies = sizeof all_bodies / sizeof *all_bodies;

#if defined(__x86_64__)
static int has_v3(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}

static int has_v4(void) {
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

static int is_supported(const char *name) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!strcmp(name, "v4")) return has_v4();
    if (!strcmp(name, "v3")) return has_v3();
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
#else
    (void)name;
    return 1;
#endif
}

static void choose_body(void) {
    for (size_t k = number_of_bodies; k-- && !chosen_body;) {
        if (is_supported(all_bodies[k].name)) {
            chosen_body = all_bodies[k].body;
            body_name = all_bodies[k].name;
        }
    }
}
