import { jsonText } from '../code-frame.ts';
import type { CodeDescription, Diagnostic, Fix, Range, Severity } from '../diagnostic.ts';
import type { SourceText } from '../source-text.ts';
import { fingerprints, lineHashes } from './fingerprints.ts';
import {
  helpUrl,
  locationOf,
  type Report,
  type ReportOptions,
  type SuppressedDiagnostic,
  shownPath,
  sortDiagnostics,
  sourcesByUri,
} from './report.ts';

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' };
/** Longer source ranges are not quoted in the report. */
const LONGEST_SNIPPET = 500;

/**
 * Returns a report in SARIF 2.1.0, the OASIS Static Analysis Results Interchange Format. It lists only rules with findings;
 * suppressed findings are results with suppressions; files that could not be read are notifications.
 */
export function sarifReport(report: Report, options: ReportOptions = {}): string {
  const all = sortDiagnostics({ ...report, diagnostics: [...report.diagnostics, ...suppressedOnes(report)] });
  const writer = new SarifWriter(report, all, options);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [writer.run()],
  };
  return `${jsonText(log, 2)}\n`;
}

function suppressedOnes({ suppressed = [] }: Report): readonly Diagnostic[] {
  return suppressed.map(({ diagnostic }) => diagnostic);
}

class SarifWriter {
  readonly #report: Report;
  readonly #options: ReportOptions;
  readonly #all: readonly Diagnostic[];
  readonly #sources: ReadonlyMap<string, SourceText>;
  readonly #artifacts: ReadonlyMap<string, number>;
  readonly #lineHashes = new Map<string, readonly string[]>();
  readonly #codes: readonly string[];
  readonly #suppressions: ReadonlyMap<Diagnostic, SuppressedDiagnostic>;

  constructor(report: Report, all: readonly Diagnostic[], options: ReportOptions) {
    this.#report = report;
    this.#options = options;
    this.#all = all;
    this.#sources = sourcesByUri(report);
    this.#artifacts = new Map(report.sources.map(({ uri }, index) => [uri, index]));
    this.#codes = [...new Set(all.map(({ code }) => code))].sort();
    this.#suppressions = new Map(report.suppressed?.map(one => [one.diagnostic, one]));
  }

  run(): object {
    const { version } = this.#options;
    const marks = fingerprints(this.#all, this.#sources);
    return {
      tool: {
        driver: {
          name: 'tollgate',
          ...(version !== undefined && { version, semanticVersion: version }),
          rules: this.#rules(),
        },
      },
      columnKind: 'utf16CodeUnits',
      originalUriBaseIds: { '%SRCROOT%': { description: { text: 'the working directory' } } },
      invocations: [this.#invocation()],
      artifacts: this.#report.sources.map(({ uri }) => ({ location: this.#artifact(uri) })),
      results: this.#all.map((diagnostic, index) => this.#result(diagnostic, marks[index]!)),
    };
  }

  #path(uri: string): string {
    return shownPath(uri, this.#options.directory);
  }

  #rules(): readonly object[] {
    const described = new Map(this.#report.rules?.map(rule => [rule.code, rule]));
    return this.#codes.map(code => {
      const url = helpUrl(code, this.#options.docsUrl);
      const rule = described.get(code);
      const refusals = rule?.refusals ?? [];
      const properties = {
        tags: [code.slice(0, code.indexOf('/'))],
        ...(refusals.length > 0 && { serviceErrors: refusals }),
      };
      return { id: code, ...(rule && ruleOf(rule)), ...(url !== undefined && { helpUri: url }), properties };
    });
  }

  #invocation(): object {
    const { failures = [] } = this.#report;
    return {
      executionSuccessful: failures.length === 0,
      ...(failures.length > 0 && {
        toolExecutionNotifications: failures.map(({ code, message }) => ({
          descriptor: { id: code },
          level: 'error',
          message: messageOf(message),
        })),
      }),
    };
  }

  /** The keys by which GitHub matches findings of two runs. */
  #lineHash(uri: string, { start }: Diagnostic['range']): object {
    const source = this.#sources.get(uri);
    if (!source) return {};
    const hashes = this.#lineHashes.get(uri) ?? lineHashes(source.text);
    this.#lineHashes.set(uri, hashes);
    const hash = hashes[source.positionAt(start).line];
    return hash === undefined ? {} : { primaryLocationLineHash: hash };
  }

  #result(diagnostic: Diagnostic, fingerprint: string): object {
    const { code, severity, message, uri, range, related, fixes } = diagnostic;
    const suppression = this.#suppressions.get(diagnostic);
    return {
      ruleId: code,
      ruleIndex: this.#codes.indexOf(code),
      level: LEVELS[severity],
      message: messageOf(message),
      locations: [this.#location(uri, range)],
      partialFingerprints: { 'tollgate/v1': fingerprint, ...this.#lineHash(uri, range) },
      ...(related && {
        relatedLocations: related.map((place, index) => ({
          id: index + 1,
          ...this.#location(place.uri, place.range),
          message: messageOf(place.message),
        })),
      }),
      ...(typeof diagnostic.args.refusal === 'number' && { properties: { serviceError: diagnostic.args.refusal } }),
      ...(fixes && { fixes: fixes.map(fix => this.#fix(uri, fix)) }),
      ...(suppression && { suppressions: [suppressionOf(suppression)] }),
    };
  }

  #location(uri: string, range: Range): object {
    return { physicalLocation: { artifactLocation: this.#artifact(uri), region: this.#region(uri, range, true) } };
  }

  #artifact(uri: string): object {
    const index = this.#artifacts.get(uri);
    return { ...sarifUri(this.#path(uri)), ...(index !== undefined && { index }) };
  }

  #region(uri: string, range: Range, hasSnippet: boolean): object {
    const source = this.#sources.get(uri);
    const { line, column, endLine, endColumn } = locationOf(source, range, 'utf-16');
    const length = range.end - range.start;
    const snippet = hasSnippet && length > 0 && length <= LONGEST_SNIPPET ? source?.text : undefined;
    return {
      startLine: line,
      startColumn: column,
      endLine,
      endColumn,
      ...(snippet !== undefined && { snippet: { text: snippet.slice(range.start, range.end) } }),
    };
  }

  #fix(uri: string, { title, edits }: Fix): object {
    const replacements = edits.map(({ range, newText }) => ({
      deletedRegion: this.#region(uri, range, false),
      ...(newText !== '' && { insertedContent: { text: newText } }),
    }));
    return {
      description: messageOf(title),
      artifactChanges: [{ artifactLocation: this.#artifact(uri), replacements }],
    };
  }
}

function ruleOf({ severity, summary, rationale, remedy }: CodeDescription): object {
  const help = remedy === undefined ? rationale : `${rationale}\n\n${remedy}`;
  return {
    shortDescription: { text: summary },
    fullDescription: { text: rationale },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function suppressionOf({ by, reason }: SuppressedDiagnostic): object {
  return {
    kind: by === 'comment' ? 'inSource' : 'external',
    status: 'accepted',
    ...(reason !== undefined && { justification: reason }),
  };
}

/**
 * Escapes text that would be read as a placeholder or a link (sections 3.11.5 and 3.11.6). Single braces stay: many
 * viewers show messages unchanged, and `${{req.Host}}` would be misleading for `${req.Host}`.
 */
function messageOf(text: string): { readonly text: string } {
  const isPlaceholder = /\{\d+\}|\{\{|\}\}/.test(text);
  const braced = isPlaceholder ? text.replace(/[{}]/g, brace => brace + brace) : text;
  return { text: braced.replace(/\[(?=[^\]]*\]\()/g, '\\[') };
}

/** Returns a path as an artifact location: percent-encoded, and relative to the source root unless it is absolute. */
function sarifUri(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  // An unpaired surrogate has no UTF-8 encoding.
  const encoded = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  if (/^[a-z]%3A\//i.test(encoded)) return { uri: `file:///${encoded.replace('%3A', ':')}` };
  if (encoded.startsWith('//')) return { uri: `file:${encoded}` };
  if (encoded.startsWith('/')) return { uri: `file://${encoded}` };
  return { uri: encoded, uriBaseId: '%SRCROOT%' };
}
