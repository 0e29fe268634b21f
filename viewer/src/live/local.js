// The library in the page: requests as of `kinworld query`, answered here, without a server.

import { inflate } from '../data.js';

/** The module and the world of the page. */
export async function unpackedLocal(module, world) {
  const [code, data] = await Promise.all([inflate(module.textContent), inflate(world.textContent)]);
  module.remove();
  world.remove();
  return { code: await WebAssembly.compile(code), data: new Uint8Array(data) };
}

export class Local {
  /** What [`unpackedLocal`] gave; it is not open before `start`. */
  constructor({ code, data }) {
    this.code = code;
    this.data = data;
    this.waiting = new Map();
    this.exports = null;
  }

  get isOpen() {
    return this.exports !== null;
  }

  /** Makes the world of the page, as it was exported. */
  async start() {
    const { exports } = await WebAssembly.instantiate(this.code, {});
    this.exports = exports;
    this.put(this.data);
    const problem = this.text(exports.open(), exports.said());
    if (problem) throw new Error(`the world of the page cannot be read: ${problem}`);
  }

  put(bytes) {
    const at = this.exports.reserve(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  text(length, at) {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at, length));
  }

  /** The answer to a request: it is there when this returns. */
  async ask(request) {
    if (!this.isOpen) throw new Error('the library in this page has stopped: load the page again');
    let answer;
    try {
      this.put(new TextEncoder().encode(JSON.stringify(request)));
      const length = this.exports.ask();
      answer = JSON.parse(this.text(length, this.exports.said()));
    } catch (error) {
      // a panic, or no memory is left
      const words = this.text(this.exports.last_words(), this.exports.last_words_at());
      this.exports = null;
      throw new Error(`the library in this page has stopped: ${words || error.message}`);
    }
    if (!answer.ok) throw new Error(answer.error);
    return answer;
  }

  /** The answers to requests. */
  askAll(requests) {
    return Promise.all(requests.map((request) => this.ask(request)));
  }
}
