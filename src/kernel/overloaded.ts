// Too much at once: what was asked for was not begun, and may be asked for again in a moment.
export class Overloaded extends Error {
  constructor() {
    super('too many requests are waiting');
  }
}
