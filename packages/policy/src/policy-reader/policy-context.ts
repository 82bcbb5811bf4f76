import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Reporter } from '../document/model/reporter.ts';
import type { ExpressionCache } from '../expression/expression-cache.ts';
import type { PhaseEnvironments } from '../expression/phase-environment.ts';

/** The context in which a policy is read. */
export interface PolicyContext {
  readonly uri: string;
  /** The source text. */
  readonly document: string;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly environments: PhaseEnvironments;
  readonly expressions: ExpressionCache | undefined;
  readonly reporter: Reporter;
  /** True if the profile was neither given nor detected. */
  readonly isGuessed?: boolean;
}
