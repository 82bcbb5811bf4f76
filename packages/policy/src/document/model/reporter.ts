import type { Diagnostic, Range } from '@tollgate/diagnostics';

/** A diagnostic without the URI of its document. */
export type Finding = Omit<Diagnostic, 'uri' | 'severity' | 'related'> & {
  readonly severity?: Diagnostic['severity'];
  /** Other ranges of the same document. */
  readonly related?: readonly { readonly range: Range; readonly message: string }[];
};

/** Collects the diagnostics of one document. Equal findings at one range count once, since aliases visit a node repeatedly. */
export class Reporter {
  readonly uri: string;
  readonly limit: number;
  /** Codes that are ignored. */
  silenced: RegExp | undefined;
  /** Created on the first finding: most documents have none. */
  #found: Map<string, Diagnostic> | undefined;

  constructor(uri: string, limit: number) {
    this.uri = uri;
    this.limit = limit;
  }

  get isEmpty(): boolean {
    return this.#found === undefined;
  }

  /** In reporting order; at most one more than the limit. */
  get found(): readonly Diagnostic[] {
    return this.#found === undefined ? [] : [...this.#found.values()];
  }

  report(finding: Finding): void {
    const { severity = 'error', related, ...rest } = finding;
    const places = related?.map(place => ({ uri: this.uri, ...place }));
    this.take({ ...rest, severity, uri: this.uri, ...(places && { related: places }) });
  }

  /** Ignores all further findings whose code matches. */
  silence(codes: RegExp): void {
    this.silenced = codes;
  }

  /** Adds a diagnostic of another collector of the same document. */
  take(diagnostic: Diagnostic): void {
    const { code, range, message } = diagnostic;
    if (this.silenced?.test(code)) return;
    const key = `${code} ${range.start} ${range.end} ${message}`;
    this.#found ??= new Map();
    if (this.#found.has(key) || this.#found.size > this.limit) return;
    this.#found.set(key, diagnostic);
  }

  /** Returns the diagnostics in document order. If there were too many, the last one says so. */
  finish(): readonly Diagnostic[] {
    const all = this.found;
    if (all.length === 0) return all;
    const kept = all.slice(0, this.limit).sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
    if (all.length <= this.limit) return kept;
    const { range } = kept.at(-1)!;
    const message = `more than ${this.limit} problems; the rest are not shown`;
    const args = { limit: 'maxDiagnostics', value: this.limit };
    return [...kept, { code: 'limit/diagnostics', severity: 'error', message, uri: this.uri, range, args }];
  }
}
