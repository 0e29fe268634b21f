#!/bin/sh
# Builds the programs of the peers in the given folder: pinbench-g++, pinbench-clang++-19 and mjbench. Takes some minutes.
#
#     VENV=/tmp/peers/venv ./build.sh /tmp/peers
#
# Needs g++, clang++-19, libeigen3-dev, and the pip packages `pin` and `mujoco`. Another set of compilers: CXX="g++".
#
# Pinocchio is used by its headers only: the wheel's libraries are built without -march=native and must not be mixed in.
set -e
out=${1:?the folder to build in}
here=$(cd "$(dirname "$0")" && pwd)
site=$("${VENV:?the virtual environment with the pip packages pin and mujoco}/bin/python" -c 'import site; print(site.getsitepackages()[0])')
mkdir -p "$out"

pinocchio=$site/cmeel.prefix
for cxx in ${CXX:-g++ clang++-19}; do
    [ "$out/pinbench-$cxx" -nt "$here/pinbench.cpp" ] && continue
    "$cxx" -std=c++17 -O3 -w -DNDEBUG -march=native \
        -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 \
        -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12 \
        -isystem "$pinocchio/include" -isystem /usr/include/eigen3 \
        "$here/pinbench.cpp" -o "$out/pinbench-$cxx" \
        -L"$pinocchio/lib" -Wl,-rpath,"$pinocchio/lib" "$pinocchio/lib/libboost_serialization.so"
done

mujoco=$site/mujoco
gcc -std=c11 -O3 -march=native -Wall -I"$mujoco/include" "$here/mjbench.c" -o "$out/mjbench" \
    "$mujoco"/libmujoco.so.* -Wl,-rpath,"$mujoco" -lm
