// The commands for a project: `init`, `new`, `doctor` and `trust`.

import { Option } from 'commander';
import { TEMPLATE_NAMES } from '../init/policy-templates.ts';
import { CI_RECIPES, EDITOR_SETTINGS } from '../init/setup-recipes.ts';
import { addSettingsOptions, repeatable } from '../input/input-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate init`: sets up a project. */
export const INIT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('init'), INIT_HELP)
      .summary('set up a project')
      .description(
        'Writes `tollgate.yaml`, a first policy with tests, and files for your CI and editor. Asks what you need, unless options ' +
          'say it. Existing files are never changed.',
      )
      .argument('[directory]', 'directory of the project', '.')
      .addOption(
        repeatable(
          new Option('-t, --template <name>', 'what the policy is for; repeatable').choices([...TEMPLATE_NAMES]),
        ),
      )
      .addOption(
        repeatable(
          new Option('--ci <service>', 'add a file for CI; repeatable').choices(CI_RECIPES.map(({ name }) => name)),
        ),
      )
      .addOption(
        repeatable(
          new Option('--editor <name>', 'add a file for an editor; repeatable').choices(
            EDITOR_SETTINGS.map(({ name }) => name),
          ),
        ),
      )
      .action(async (directory: string, options) => {
        const { initProject } = await import('../init/init-project.ts');
        finish(await initProject(directory, options, terminal));
      });
  },
};

const INIT_HELP: HelpText = {
  examples: [
    ['init', 'ask what to set up'],
    ['init --template api --ci github', 'an API with JSON Web Tokens, checked by GitHub Actions'],
  ],
  clean: 'set up',
};

/** `tollgate new`: creates a policy, a test or a lint rule. */
export const NEW: CommandDefinition = {
  register(program, { terminal, finish }) {
    const create = addHelp(program.command('new'), NEW_HELP)
      .summary('create a policy, a test or a lint rule')
      .description('Creates files from templates. Existing files are never changed.');
    create
      .command('policy')
      .summary('create a policy and its tests')
      .description('Writes a policy for a task, and its tests next to it.')
      .argument('<file>', 'the policy, such as `policies/api.yaml`')
      .addOption(new Option('-t, --template <name>', 'what the policy is for').choices([...TEMPLATE_NAMES]))
      .action(async (file: string, options) => {
        const { newPolicy } = await import('../init/init-project.ts');
        finish(await newPolicy(file, options, terminal));
      });
    addSettingsOptions(
      create
        .command('test')
        .summary('create tests for a policy')
        .description(
          'Writes a test for each rule of a policy, with a request that it matches. Complete the expectations, and ' +
            'the tests that are skipped.',
        )
        .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
        .option('-o, --output <file>', 'the test file (default: next to the policy)'),
    ).action(async (policy: string, options) => {
      const { newTest } = await import('../init/new-test.ts');
      finish(await newTest(policy, options, terminal));
    });
    create
      .command('rule')
      .summary('create a custom lint rule')
      .description(
        'Writes a working lint rule in TypeScript and its test. Creates a `tollgate.yaml` that loads it; if there is one already, ' +
          'prints what to add to it.',
      )
      .argument('<id>', 'id of the lint rule, such as `team/no-log`')
      .option('--directory <path>', 'directory for the new files', 'lint-rules')
      .action(async (id: string, options) => {
        const { newRule } = await import('../lint/own-rules.ts');
        finish(await newRule(id, options, terminal));
      });
  },
};

const NEW_HELP: HelpText = {
  examples: [
    ['new policy policies/api.yaml --template api', 'an API with JSON Web Tokens, and its tests'],
    ['new test policies/shop.yaml', 'a test for each rule of a policy'],
    ['new rule team/no-log', 'lint-rules/no-log.mts and its test'],
  ],
  findings: 'the policy has errors',
};

/** `tollgate doctor`: shows versions and settings. */
export const DOCTOR: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('doctor'), DOCTOR_HELP)
      .summary('show versions, settings and where they come from')
      .description(
        'Shows versions, the settings in force and where each comes from, which code may run, caches, and which optional ' +
          'packages are installed. Runs no code of the project.',
      )
      .addOption(new Option('-f, --format <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async options => {
        const { runDoctor } = await import('../help/doctor.ts');
        finish(await runDoctor(options, terminal));
      });
  },
};

const DOCTOR_HELP: HelpText = {
  examples: [
    ['doctor', 'what applies in the working directory'],
    ['doctor --format json', 'the same for programs'],
  ],
  clean: 'no problems',
  findings: 'problems in settings or trust',
};

/** `tollgate trust`: manages the directories whose code may run. */
export const TRUST: CommandDefinition = {
  register(program, { terminal, finish }) {
    const trust = addHelp(program.command('trust'), TRUST_HELP)
      .summary('allow code in a directory to run, and secrets to be sent')
      .description(
        'Modules named in settings, extensions (`env`) and lint rules (`lint.load`), run only in directories that you trust. ' +
          'Trust covers everything below a directory, including files added later. `--trust` allows all code for one run.',
      )
      .argument('[directory]', 'directory to trust (default: the current repository)')
      .action(async (directory: string | undefined) => {
        const { trustDirectory } = await import('../trust/manage-trust.ts');
        finish(await trustDirectory(directory, terminal));
      });
    trust
      .command('environment [name]')
      .summary('trust the URL of an environment with the secrets that go there')
      .action(async (name: string | undefined) => {
        const { trustEnvironment } = await import('../publish/secrets.ts');
        finish(await trustEnvironment(name, terminal));
      });
    trust
      .command('list')
      .summary('list trusted directories, and the secrets that projects may send')
      .action(async () => {
        const { listTrusted } = await import('../trust/manage-trust.ts');
        finish(listTrusted(terminal));
      });
    trust
      .command('revoke [directory]')
      .summary('stop trusting a directory')
      .action(async (directory: string | undefined) => {
        const { revokeTrust } = await import('../trust/manage-trust.ts');
        finish(await revokeTrust(directory, terminal));
      });
  },
};

const TRUST_HELP: HelpText = {
  examples: [
    ['trust', 'trust the current repository'],
    ['trust environment production', 'allow sending the API key of `production` to its URL'],
    ['trust list', 'list trusted directories, one per line'],
    ['trust revoke', 'stop trusting the current repository'],
  ],
  clean: 'done',
  findings: 'the directory was not trusted',
};
