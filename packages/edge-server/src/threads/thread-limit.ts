/** A task that was ended because it exceeded the budget of its thread. */
export class ThreadLimit extends Error {
  override readonly name = 'ThreadLimit';
  readonly kind: 'time' | 'memory';

  constructor(kind: 'time' | 'memory') {
    super(`the thread exceeded its ${kind} limit`);
    this.kind = kind;
  }
}
