import type { Range, Report, SourceText } from '@tollgate/diagnostics';
import type { EdgeTrace } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { RuleView, TraceView } from './trace-view.ts';

/** The data of a report on one exchange. */
export interface TraceReport {
  /** Name of the policy or edge as given by the user. */
  readonly file: string;
  readonly profile: string;
  readonly endpoint: string;
  readonly exchange: Exchange;
  /** The file that contains the rules. */
  readonly source: SourceText;
  /** Returns the range in it of a range in the policy's own document. */
  readonly inFile: (range: Range) => Range;
  /** Findings in the policies. */
  readonly warnings: Report;
  /** Undefined without an edge. */
  readonly routing: EdgeTrace | undefined;
  /** Undefined if no route matches, or the matching one is unknown. */
  readonly view: TraceView | undefined;
  /** The rules of the view to show. */
  readonly rules: readonly RuleView[];
}
