// Collects the findings of lexer and parser, and turns them into diagnostics.

import type { Diagnostic, DiagnosticArgs, Fix, Range } from '@tollgate/diagnostics';
import type { Limits } from '../ast/limits.ts';

/** A finding of a parsing stage. */
export interface ParseFinding {
  readonly code: string;
  readonly message: string;
  readonly range: Range;
  readonly args?: DiagnosticArgs;
  readonly fixes?: readonly Fix[];
  readonly related?: readonly { readonly range: Range; readonly message: string }[];
}

/** Thrown and caught inside the parser if continuing would exceed a limit. Not an `Error`, because it needs no stack trace. */
export class LimitExceeded {
  readonly finding: ParseFinding;

  constructor(finding: ParseFinding) {
    this.finding = finding;
  }
}

type LimitName = 'maxSourceLength' | 'maxDepth' | 'maxNodes' | 'maxDiagnostics';

const LIMIT_FINDINGS: Readonly<Record<LimitName, (limit: number) => { code: string; message: string }>> = {
  maxSourceLength: limit => ({
    code: 'limit/source-length',
    message: `the expression is longer than ${limit} characters`,
  }),
  maxDepth: limit => ({ code: 'limit/depth', message: `the expression is nested deeper than ${limit} levels` }),
  maxNodes: limit => ({ code: 'limit/nodes', message: `the expression has more than ${limit} nodes` }),
  maxDiagnostics: limit => ({
    code: 'limit/diagnostics',
    message: `only the first ${limit - 1} of more diagnostics are shown`,
  }),
};

export function limitFinding(name: LimitName, limits: Limits, range: Range): ParseFinding {
  return { ...LIMIT_FINDINGS[name](limits[name]), range, args: { limit: name, value: limits[name] } };
}

export function toDiagnostic(finding: ParseFinding): Diagnostic {
  const { code, message, range, args = {}, fixes, related } = finding;
  const places = related?.map(place => ({ uri: '', ...place }));
  return {
    ...{ code, severity: 'error', message, uri: '', range, args },
    ...(places && { related: places }),
    ...(fixes && { fixes }),
  };
}

/** Collects the findings of all parsing stages, up to the limit. */
export class Reporter {
  readonly findings: ParseFinding[] = [];
  readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** @throws LimitExceeded if the limit on findings is reached */
  report(finding: ParseFinding): void {
    if (this.findings.length >= this.limits.maxDiagnostics) {
      throw new LimitExceeded(limitFinding('maxDiagnostics', this.limits, finding.range));
    }
    this.findings.push(finding);
  }

  /** Drops all but the first `count` findings. */
  rewind(count: number): void {
    this.findings.length = count;
  }
}
