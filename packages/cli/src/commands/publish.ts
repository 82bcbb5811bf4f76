// The commands that publish: `plan`, `apply`, `history`, `rollback`, `drift`, `pull` and `adopt`.

import { Option } from 'commander';
import { repeatable } from '../input/input-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate plan [ENV]`: shows what `tollgate apply` would change. */
export const PLAN: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('plan'), PLAN_HELP)
      .summary('show what publishing would change')
      .description(
        'Compares the targets in `tollgate.yaml` with the live configuration and shows the differences. Sends only reads. With ' +
          '`--out`, stores the plan for `tollgate apply`; it contains keyed hashes and no configuration.',
      )
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .addOption(repeatable(new Option('--target <target>', 'plan only this target; repeatable')))
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .addOption(repeatable(new Option('--traffic <file>', 'recorded traffic on which to show the impact; repeatable')))
      .option('--out <file>', 'store the plan')
      .option('--allow-erase', 'let the stored plan remove unknown live rules')
      .option('--exit-code', 'exit with 1 if there are changes, as `git diff` does')
      .action(async (environment: string | undefined, options) => {
        const { plan } = await import('../publish/plan.ts');
        finish(await plan(environment, options, terminal));
      });
  },
};

const PLAN_HELP: HelpText = {
  examples: [
    ['plan', 'show the differences'],
    ['plan production --target shop --traffic access.log', 'one target, with its impact on recorded traffic'],
    ['plan production --out plan.json', 'store the plan; `tollgate apply plan.json` applies it'],
    ['plan --exit-code -f json', 'for scripts: exit with 1 if there are changes'],
  ],
  clean: 'planned; with `--exit-code`, no changes',
  findings: 'a policy has errors; with `--exit-code`, there are changes',
  external: 'the API, a file or a record is unavailable',
};

/** `tollgate apply [PLAN.json] [ENV]`: publishes. */
export const APPLY: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('apply'), APPLY_HELP)
      .summary('publish policies to an edge')
      .description(
        'Writes the modules that differ from the live configuration, after lint, tests and impact budget have passed, and reads ' +
          'each of them back. If a target fails, the targets already written are restored. The journal records what was written.',
      )
      .argument('[plan]', 'plan from `tollgate plan --out`')
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .option('-y, --yes', 'do not ask for confirmation')
      .addOption(repeatable(new Option('--target <target>', 'publish only this target; repeatable')))
      .option('--allow-erase', 'remove live rules that neither the file nor the last apply contains')
      .option('--no-rollback', 'keep the targets already written if another one fails')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (plan: string | undefined, environment: string | undefined, options) => {
        const { apply } = await import('../publish/apply.ts');
        const names = [plan, environment].filter(one => one !== undefined);
        finish(await apply(names, options, terminal));
      });
  },
};

const APPLY_HELP: HelpText = {
  examples: [
    ['apply', 'show the differences, ask, and publish'],
    ['apply production --yes', 'publish without asking, for example in CI'],
    ['apply plan.json', 'publish exactly what a plan says'],
  ],
  clean: 'all targets are as wanted',
  findings: 'a gate failed, a target has changed, or the run was interrupted',
  external: 'the API failed or rejected a change, or a file is unavailable',
};

/** `tollgate history [ENV]`: lists what was published. */
export const HISTORY: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('history'), HISTORY_HELP)
      .summary('list what was published')
      .description(
        'Lists the runs in the journal of this machine and those that records at the edge tell of, newest first: when, by whom, from which commit, and how they ended. A record tells what a run was about to write, not how it ended.',
      )
      .argument('[environment]', 'only runs in this environment')
      .option('--local', 'list only the journal of this machine; sends nothing')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (environment: string | undefined, options) => {
        const { history } = await import('../publish/history.ts');
        finish(await history(environment, options, terminal));
      });
  },
};

const HISTORY_HELP: HelpText = {
  examples: [
    ['history', 'all runs'],
    ['history --local', 'the runs of this machine, without a connection'],
    ['history production -f json', 'one environment, for scripts'],
  ],
  clean: 'listed',
  external: 'the journal or the edges cannot be read',
};

/** `tollgate rollback [N]`: restores what was live before a run. */
export const ROLLBACK: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('rollback'), ROLLBACK_HELP)
      .summary('restore what was live before a run')
      .description(
        'Restores what the targets of a run held before it, where they still hold what it wrote, whichever machine made the run. ' +
          'Skips lint, tests and impact budget. The rollback is a run of its own.',
      )
      .argument('[run]', 'number in `tollgate history`, or id of a run (default: the newest that is in effect)')
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .option('-y, --yes', 'do not ask for confirmation')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (run: string | undefined, environment: string | undefined, options) => {
        const { rollBackRun } = await import('../publish/rollback.ts');
        const names = [run, environment].filter(one => one !== undefined);
        finish(await rollBackRun(names, options, terminal));
      });
  },
};

const ROLLBACK_HELP: HelpText = {
  examples: [
    ['rollback', 'undo the newest run that is in effect, after asking'],
    ['rollback production', 'in one of several environments'],
    ['rollback 3 --yes', 'undo run 3 without asking'],
  ],
  clean: 'rolled back',
  findings: 'a target has changed since the run',
  external: 'the API failed or rejected a change, or a file is unavailable',
};

/** `tollgate drift [ENV]`: finds changes that were made elsewhere. */
export const DRIFT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('drift'), DRIFT_HELP)
      .summary('find live changes that were made elsewhere')
      .description(
        'Compares the live configuration with what was last applied and with the files. Sends only reads. A target with ' +
          '`acceptedDrift` in `tollgate.yaml` is listed, but does not count until the day given there.',
      )
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .addOption(repeatable(new Option('--target <target>', 'compare only this target; repeatable')))
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (environment: string | undefined, options) => {
        const { drift } = await import('../publish/drift.ts');
        finish(await drift(environment, options, terminal));
      });
  },
};

const DRIFT_HELP: HelpText = {
  examples: [
    ['drift', 'compare all targets'],
    ['drift production --target shop -f json', 'one target, for scripts'],
  ],
  clean: 'no drift',
  findings: 'a target differs',
  external: 'the API, a file or a record is unavailable',
};

/** `tollgate pull [ENV]`: writes live policies to files. */
export const PULL: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('pull'), PULL_HELP)
      .summary('write live policies to files')
      .description(
        'Writes the live policy of each target to its file, formatted. Comments in existing files stay with their rules. Sends only ' +
          'reads.',
      )
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .addOption(repeatable(new Option('--target <target>', 'pull only this target; repeatable')))
      .action(async (environment: string | undefined, options) => {
        const { pull } = await import('../publish/pull.ts');
        finish(await pull(environment, options, terminal));
      });
  },
};

const PULL_HELP: HelpText = {
  examples: [
    ['pull', 'all targets'],
    ['pull production --target shop', 'one target'],
  ],
  clean: 'all files are as live',
  findings: 'a target has no live policy',
  external: 'the API, a file or a record is unavailable',
};

/** `tollgate adopt URL|EDGE [ENV]`: adds targets for an existing edge. */
export const ADOPT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('adopt'), ADOPT_HELP)
      .summary('add targets for an existing edge to tollgate.yaml')
      .description(
        'Adds a target for each route of an edge, or one for a TLS or TCP edge, to `tollgate.yaml`. Sends only reads.',
      )
      .argument('<edge>', 'id of the edge, one of its hosts or hostports, or a URL that it serves')
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .action(async (edge: string, environment: string | undefined) => {
        const { adopt } = await import('../publish/adopt.ts');
        finish(await adopt(edge, environment, terminal));
      });
  },
};

const ADOPT_HELP: HelpText = {
  examples: [
    ['adopt https://shop.example', 'the edge that serves a URL'],
    ['adopt shop.example', 'by host'],
    ['adopt shop.example:443 production', 'by hostport, in one of several environments'],
  ],
  clean: 'added',
  external: 'the API is unavailable, or there is no such edge',
};
