// The connection: requests as of `kinworld query`, answers in order, and events.

/** Shortest and longest time until the next try, in ms. */
const [SOON, LATE] = [400, 5000];

export class Link {
  /** A connection to the server of this page. */
  constructor(token, { event, state }) {
    this.address = `ws://${location.host}/socket?token=${encodeURIComponent(token)}`;
    this.event = event;
    this.state = state;
    this.waiting = new Map();
    this.next = 1;
    this.pause = SOON;
    this.open();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.pause = SOON;
      this.state(true);
    });
    socket.addEventListener('message', ({ data }) => [JSON.parse(data)].flat().forEach((message) => this.take(message)));
    socket.addEventListener('close', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the connection is lost'));
      this.waiting.clear();
      this.state(false);
      setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(2 * this.pause, LATE);
    });
  }

  take(message) {
    if (message.event) {
      this.event(message);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!waiting) return;
    if (message.ok) waiting.resolve(message);
    else waiting.reject(new Error(message.error));
  }

  /** The answer to a request. */
  async ask(request) {
    const [answer] = await this.askAll([request]);
    return answer;
  }

  /** The answers to requests, which are answered together: nothing changes between them. */
  askAll(requests) {
    if (!this.isOpen) return Promise.reject(new Error('the connection is lost'));
    const list = requests.map((request) => ({ ...request, id: this.next++ }));
    this.socket.send(JSON.stringify(list.length === 1 ? list[0] : list));
    return Promise.all(list.map(({ id }) => new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }))));
  }
}
