import type { EndpointKind, Phase, Profile } from '@tollgate/catalog';
import type { Range, TextEdit } from '@tollgate/diagnostics';
import { documentRange, type MappedText } from '../../document/model/mapped-text.ts';
import { editScalar } from '../../edits/edit-scalar.ts';
import type { PhaseEnvironments } from '../../expression/phase-environment.ts';
import type { Counterparts } from '../expression/counterparts.ts';
import type { Loss } from '../expression/expression-rewriter.ts';
import type { RewrittenExpression } from '../expression/rewrite-expression.ts';

/** A migration under way: what it is of, and what was found so far. */
export interface Migrating {
  readonly document: string;
  readonly from: Profile;
  readonly to: Profile;
  readonly endpoint: EndpointKind;
  /** Of the old profile. */
  readonly environments: PhaseEnvironments;
  readonly counterparts: Counterparts;
  /** The policy is a part of a document, so that there must be something around it. */
  readonly isPart: boolean;
  /** Ranges are of the document. */
  readonly edits: TextEdit[];
  readonly losses: Loss[];
}

/** The phase of the new profile in which rules of an old one run. Undefined when there is none. */
export function newPhase({ to, endpoint }: Migrating, phase: Phase): Phase | undefined {
  if (to.phases.includes(phase)) return phase;
  if (phase === 'outbound') return endpoint === 'https-route' ? 'on_http_response' : undefined;
  return endpoint === 'https-route' ? 'on_http_request' : 'on_tcp_connect';
}

/** Makes the edits and losses of an expression those of the document. */
export function addExpression(migrating: Migrating, text: MappedText, { edits, losses }: RewrittenExpression): void {
  migrating.edits.push(...editScalar(migrating.document, text, edits));
  for (const loss of losses) migrating.losses.push({ ...loss, range: documentRange(text, loss.range) });
}

/** Notes that something is lost. */
export function lose(migrating: Migrating, loss: Omit<Loss, 'severity' | 'args'> & Partial<Loss>): void {
  migrating.losses.push({ severity: 'warning', args: {}, ...loss });
}

/** Adds an edit, or where it cannot be made says so. */
export function editOrGiveUp(migrating: Migrating, edit: TextEdit | undefined, range: Range, what: string): void {
  if (edit) migrating.edits.push(edit);
  else
    lose(migrating, { code: 'migrate/by-hand', severity: 'error', message: `${what} must be removed by hand`, range });
}
