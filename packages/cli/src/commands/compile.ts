import { InvalidArgumentError, Option } from 'commander';
import { addSettingsOptions } from '../input/input-options.ts';
import { UsageError } from '../process/exit-code.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate compile POLICY --to TARGET`: writes a policy in another form. */
export const COMPILE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('compile'), HELP)
      .summary('compile a policy to a module, SQL, checked expressions or a request body')
      .description(
        'Writes a policy in another form that decides exactly the same: `module`, an ES module that contains all it needs and enforces ' +
          'the policy; `sql`, a query or view for an engine; `ast`, checked expressions as `cel.expr.CheckedExpr` in JSON; `payload`, the body of the policy endpoint. What a ' +
          'target cannot express exactly is an error.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
      .addOption(
        new Option('--to <target>', 'what to write').choices(['module', 'sql', 'ast', 'payload']).makeOptionMandatory(),
      )
      .option('-o, --output <file>', 'write here instead of to standard output')
      .addOption(
        new Option(
          '--host <host>',
          'with `--to module`: where it runs; what the policy needs beyond what the host knows and does is an error',
        )
          .choices(['any', 'node', 'fetch'])
          .default('any'),
      )
      .addOption(
        new Option(
          '--provides <action>',
          'with `--to module`: an action that the program around the module carries out: `forward-internal`; repeatable',
        ).argParser(parseProvided),
      )
      .addOption(
        new Option('--dialect <engine>', 'with `--to sql`: the engine that runs it')
          .choices(['duckdb', 'postgres', 'clickhouse', 'trino', 'spark'])
          .default('duckdb'),
      )
      .option('--table <sql>', 'with `--to sql`: the table to read, or a query in parentheses', 'traffic')
      .option('--view <name>', 'with `--to sql`: write a statement that creates or replaces this view')
      .addOption(
        new Option(
          '--column <input=sql>',
          'with `--to sql`: the column or expression with an input, such as `req.Path=path`; by default `req_path`; repeatable',
        ).argParser(parseColumn),
      )
      .action(async (policy: string, options) => {
        const misplaced = SQL_OPTIONS.find(name => command.getOptionValueSource(name) === 'cli');
        if (options.to !== 'sql' && misplaced !== undefined)
          throw new UsageError(`\`--${misplaced}\` has no effect with \`--to ${options.to}\``);
        const forModules = ['host', 'provides'].find(name => command.getOptionValueSource(name) === 'cli');
        if (options.to !== 'module' && forModules !== undefined)
          throw new UsageError(`\`--${forModules}\` has no effect with \`--to ${options.to}\``);
        const { compilePolicy } = await import('../policies/compile.ts');
        finish(await compilePolicy({ policy, ...options }, terminal));
      });
    addSettingsOptions(command);
  },
};

const SQL_OPTIONS = ['dialect', 'table', 'view', 'column'];

/** What the program around a module may carry out. */
const PROVIDED = ['forward-internal'];

function parseProvided(action: string, before: readonly string[] = []): readonly string[] {
  if (!PROVIDED.includes(action))
    throw new InvalidArgumentError(`expected ${PROVIDED.map(one => `\`${one}\``).join(' or ')}.`);
  return [...before, action];
}

function parseColumn(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new InvalidArgumentError('expected an input and SQL, such as `req.Path=path`.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

const HELP: HelpText = {
  examples: [
    ['compile --to module -o policy.js policy.yaml', 'an ES module for gateways, workers and browsers'],
    ['compile --to sql --table requests policy.yaml', 'a query that adds decisions to a table'],
    ['compile --to sql --dialect trino --view decided policy.yaml', 'a view for dashboards'],
    ['compile --to ast policy.yaml', 'checked expressions for other CEL tools'],
    ['compile --to payload policy.yaml', 'the body that publishing sends'],
  ],
  clean: 'compiled',
  findings: 'the policy has errors, or a construct is not supported',
};
