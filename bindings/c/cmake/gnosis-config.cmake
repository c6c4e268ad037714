# find_package(gnosis), then link gnosis::gnosis
get_filename_component(_gnosis_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET gnosis::gnosis)
  add_library(gnosis::gnosis SHARED IMPORTED)
  set_target_properties(gnosis::gnosis PROPERTIES
    IMPORTED_LOCATION "${_gnosis_prefix}/lib/libgnosis.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_gnosis_prefix}/include")
endif()
