import type { Diagnostic, Range } from '@tollgate/diagnostics';

/** A diagnostic before it is known which document it is about. */
export type Finding = Omit<Diagnostic, 'uri' | 'severity' | 'related'> & {
  readonly severity?: Diagnostic['severity'];
  /** Other places of the same document. */
  readonly related?: readonly { readonly range: Range; readonly message: string }[];
};

/** Collects the diagnostics of one document. The same finding at the same place counts once: aliases show a place twice. */
export class Reporter {
  readonly uri: string;
  readonly limit: number;
  /** Codes that are not taken. */
  silenced: RegExp | undefined;
  /** Made for the first: most of what is read is right. */
  #found: Map<string, Diagnostic> | undefined;

  constructor(uri: string, limit: number) {
    this.uri = uri;
    this.limit = limit;
  }

  get isEmpty(): boolean {
    return this.#found === undefined;
  }

  /** In the order of reporting, one more than the limit at most. */
  get found(): readonly Diagnostic[] {
    return this.#found === undefined ? [] : [...this.#found.values()];
  }

  report(finding: Finding): void {
    const { severity = 'error', related, ...rest } = finding;
    const places = related?.map(place => ({ uri: this.uri, ...place }));
    this.take({ ...rest, severity, uri: this.uri, ...(places && { related: places }) });
  }

  /** Takes no finding any more whose code matches. */
  silence(codes: RegExp): void {
    this.silenced = codes;
  }

  /** Takes what another reporter of the same document has found. */
  take(diagnostic: Diagnostic): void {
    const { code, range, message } = diagnostic;
    if (this.silenced?.test(code)) return;
    const key = `${code} ${range.start} ${range.end} ${message}`;
    this.#found ??= new Map();
    if (this.#found.has(key) || this.#found.size > this.limit) return;
    this.#found.set(key, diagnostic);
  }

  /** In the order of the document. When there were too many, the last one says so. */
  finish(): readonly Diagnostic[] {
    const all = this.found;
    if (all.length === 0) return all;
    const kept = all.slice(0, this.limit).sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
    if (all.length <= this.limit) return kept;
    const { range } = kept.at(-1)!;
    const message = `more than ${this.limit} problems; the others are not shown`;
    const args = { limit: 'maxDiagnostics', value: this.limit };
    return [...kept, { code: 'limit/diagnostics', severity: 'error', message, uri: this.uri, range, args }];
  }
}
