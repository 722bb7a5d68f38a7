// A library of the right name without the functions.

extern "C" int oidnOfAnotherKind(); // NOLINT(misc-use-internal-linkage): exported
extern "C" int oidnOfAnotherKind() {
    return 0;
}
