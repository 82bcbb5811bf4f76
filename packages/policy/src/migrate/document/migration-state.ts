import type { EndpointKind, Phase, Profile } from '@tollgate/catalog';
import type { Range, TextEdit } from '@tollgate/diagnostics';
import { documentRange, type MappedText } from '../../document/model/mapped-text.ts';
import { editScalar } from '../../edits/edit-scalar.ts';
import type { PhaseEnvironments } from '../../expression/phase-environment.ts';
import type { Counterparts } from '../expression/counterparts.ts';
import type { Loss } from '../expression/expression-rewriter.ts';
import type { RewrittenExpression } from '../expression/rewrite-expression.ts';

/** The state of a migration: its input, and the edits and losses so far. */
export interface MigrationState {
  readonly document: string;
  readonly from: Profile;
  readonly to: Profile;
  readonly endpoint: EndpointKind;
  /** The environments of the old profile. */
  readonly environments: PhaseEnvironments;
  readonly counterparts: Counterparts;
  /** True if the policy is a part of a larger document. */
  readonly isPart: boolean;
  /** With ranges of the document. */
  readonly edits: TextEdit[];
  readonly losses: Loss[];
}

/** Returns the new profile's counterpart of a phase, or undefined. */
export function newPhase({ to, endpoint }: MigrationState, phase: Phase): Phase | undefined {
  if (to.phases.includes(phase)) return phase;
  if (phase === 'outbound') return endpoint === 'https-route' ? 'on_http_response' : undefined;
  return endpoint === 'https-route' ? 'on_http_request' : 'on_tcp_connect';
}

/** Adds the edits and losses of an expression, mapped to the document. */
export function addExpression(
  migrating: MigrationState,
  text: MappedText,
  { edits, losses }: RewrittenExpression,
): void {
  migrating.edits.push(...editScalar(migrating.document, text, edits));
  for (const loss of losses) migrating.losses.push({ ...loss, range: documentRange(text, loss.range) });
}

/** Records a loss. */
export function lose(migrating: MigrationState, loss: Omit<Loss, 'severity' | 'args'> & Partial<Loss>): void {
  migrating.losses.push({ severity: 'warning', args: {}, ...loss });
}

/** Adds an edit, or reports that it must be made by hand. */
export function editOrGiveUp(migrating: MigrationState, edit: TextEdit | undefined, range: Range, what: string): void {
  if (edit) migrating.edits.push(edit);
  else
    lose(migrating, {
      code: 'migrate/by-hand',
      severity: 'error',
      message: `cannot remove ${what} safely; remove it by hand`,
      range,
    });
}
