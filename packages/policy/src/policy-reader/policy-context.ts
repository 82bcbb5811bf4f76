import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Reporter } from '../document/model/reporter.ts';
import type { ExpressionCache } from '../expression/expression-cache.ts';
import type { PhaseEnvironments } from '../expression/phase-environment.ts';

/** What reading a policy depends on. */
export interface PolicyReading {
  readonly uri: string;
  /** The text that is read. */
  readonly document: string;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly environments: PhaseEnvironments;
  readonly expressions: ExpressionCache | undefined;
  readonly reporter: Reporter;
  /** Nothing told the profile. */
  readonly isGuessed?: boolean;
}
