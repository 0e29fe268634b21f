// The page that `export` writes: its data is in it.

import { read } from './data.js';
import { $, Page, start } from './page.js';

start(async () => new Page(await read($('data'))));
