#!/bin/sh
# Builds pinbench into the folder given. Needs clang++-19 (or CXX), libeigen3-dev and the pip package `pin`:
#
#     PIN_PREFIX=.../site-packages/cmeel.prefix ./build.sh /tmp/peers
#
# Headers only: the wheel's libraries are built without -march=native and must not be mixed in. Takes two minutes.
set -e
prefix=${PIN_PREFIX:?set it to site-packages/cmeel.prefix of the environment that holds the pip package pin}
out=${1:?the folder to build in}
mkdir -p "$out"
exec "${CXX:-clang++-19}" -std=c++17 -O3 -DNDEBUG -march=native \
    -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 \
    -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12 \
    -isystem "$prefix/include" -isystem /usr/include/eigen3 \
    "$(dirname "$0")/pinbench.cpp" -o "$out/pinbench" \
    -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" "$prefix/lib/libboost_serialization.so"
