import type { Report, SourceText } from '@tollgate/diagnostics';
import type { EdgeTrace } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { RuleView, TraceView } from './trace-view.ts';

/** All that a report on one exchange tells. */
export interface TraceReport {
  /** The policy or the edge, as it was named. */
  readonly file: string;
  readonly profile: string;
  readonly endpoint: string;
  readonly exchange: Exchange;
  /** The text that has the rules. */
  readonly source: SourceText;
  /** On policies. */
  readonly warnings: Report;
  /** Undefined for a policy that was named itself. */
  readonly routing: EdgeTrace | undefined;
  /** Undefined where no route takes the exchange, or it is not known which one. */
  readonly view: TraceView | undefined;
  /** Those of the view that are to be shown. */
  readonly rules: readonly RuleView[];
}
