import type { Diagnostic } from '@tollgate/diagnostics';

/** An expression that does not parse or check. `diagnostics` holds every error, in source order; the message is that of the first. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly source: string;
  readonly diagnostics: readonly Diagnostic[];

  constructor(source: string, diagnostics: readonly Diagnostic[]) {
    const [first] = diagnostics;
    super(first === undefined ? 'invalid expression' : `${first.message} (at offset ${first.range.start})`);
    this.source = source;
    this.diagnostics = diagnostics;
  }
}
