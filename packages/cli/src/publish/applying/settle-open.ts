import {
  type Keyed,
  type LiveRecord,
  MODULE_NOUNS,
  openIntents,
  type Remote,
  readConfirmed,
} from '@tollgate/publisher';
import { printMessage, type Terminal } from '../../process/terminal.ts';
import { type JournalFile, openJournal, openKeyed } from '../project/journal-file.ts';
import { chooseEnvironment, type PublishProject } from '../project/load-project.ts';
import { openRemote } from '../project/open-remote.ts';

/** Finds out what earlier runs left behind, if one of them was killed. */
export async function settleEarlier(
  project: PublishProject,
  name: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const environment = chooseEnvironment(project, name);
  const keyed = openKeyed(project, false);
  const journal = openJournal(project, keyed);
  if (openIntents(journal.runs, environment.name).length === 0) return;
  const remote = openRemote(project, environment, terminal);
  await settleOpen({ journal, environment: environment.name, remote, keyed }, terminal);
}

interface Settling {
  readonly journal: JournalFile;
  readonly environment: string;
  readonly remote: Pick<Remote, 'read' | 'pause'>;
  readonly keyed: Keyed;
}

/** Finds out what the modules hold that a killed run was writing, and completes the journal. Leaves what cannot be read. */
async function settleOpen({ journal, environment, remote, keyed }: Settling, terminal: Terminal): Promise<void> {
  const known = new Map(journal.runs.map(one => [one.begin.run, one]));
  for (const intent of openIntents(journal.runs, environment)) {
    const { run, target, module, ref } = intent;
    const earlier = known.get(run);
    if (earlier?.begin.keyId !== keyed.keyId) continue;
    const { beforeFingerprint: before, afterFingerprint: after } = intent;
    const holdsOf = ({ modules }: LiveRecord) => {
      const live = keyed.fingerprint(modules[module]);
      return live === after ? 'after' : live === before ? 'before' : 'foreign';
    };
    // Nothing else is known, so two readings must agree.
    const reading = await readConfirmed(remote, ref, {
      essence: record => record.modules[module],
      isCertain: () => false,
    });
    if (!reading.ok) continue;
    const holds = holdsOf(reading.value.record);
    await journal.append({ kind: 'outcome', run, target, module, holds });
    const text = { after: 'the new', before: 'the old', foreign: "somebody else's" }[holds];
    printMessage(
      terminal,
      `run ${earlier.number} ended without knowing what it wrote to \`${target}\`, which holds ${text} ${MODULE_NOUNS[module]}`,
    );
  }
}
