# The Debian package, by CPack: tools/package.sh makes and tries it.

# Nobody receives mail at .invalid (RFC 2606): whoever hands packages on says who answers for them.
set(AUREOLE_MAINTAINER "The aureole authors <maintainer@aureole.invalid>" CACHE STRING
    "Who answers for the Debian package: a name and an address")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME aureole)
set(CPACK_PACKAGE_CONTACT ${AUREOLE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "offline voxel path tracer with FFT bloom")
set(CPACK_PACKAGE_DESCRIPTION "aureole renders scene files from the command line. It turns triangle meshes
into a sparse voxel octree, path traces the octree in Vulkan compute, adds
bloom by a fast Fourier transform, and saves EXR or PNG images. It runs
wherever there is a Vulkan 1.3 driver, and on CPUs with lavapipe, Mesa's
software driver.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The loader is opened at run time, so the program does not name it; it needs a driver, of which there are several.
# Python draws the reports of benchmarks.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libvulkan1, python3:any")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd")
# For tools/sky_figures.sh.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, python3-pip")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/tools/cmake/AureoleDebianLayout.cmake)
include(CPack)
