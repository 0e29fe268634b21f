// calls the module named on the command line, and prints its answers as JSON
import { readFileSync } from "node:fs";

const bytes = readFileSync(process.argv[2]);
const { instance } = await WebAssembly.instantiate(bytes, {});
const { tip_height, colliding_pairs, waypoints, path_length, refused_files, many } = instance.exports;
const pairs = [colliding_pairs(0), colliding_pairs(1)];
console.log(JSON.stringify([tip_height(), ...pairs, waypoints(), path_length(), refused_files(), many()]));
