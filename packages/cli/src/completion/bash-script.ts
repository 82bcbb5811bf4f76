import { type CommandSpec, type CompletionSpec, listCommand, type OptionSpec, type Values } from './completion-spec.ts';

/** Returns a script for bash 3.2 or later, to be sourced. It needs no other script. */
export function bashScript(spec: CompletionSpec): string {
  const all = withPaths(spec.commands, '');
  return `# Completion of tollgate for bash: source <(tollgate completion bash)
_tollgate_words() {
  local IFS=$'\\n'
  COMPREPLY=($(IFS=$' \\n' compgen -W "$1" -- "$cur"))
}

_tollgate_files() {
  compopt -o filenames 2>/dev/null
  local file
  COMPREPLY=()
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
}

_tollgate() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' at
  # Bash takes what is around = for words of their own.
  if [[ $cur == '=' ]]; then cur=''
  elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  local behind=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$command \${COMP_WORDS[at]}" in
      ${all.map(({ path }) => `'${path}'`).join('|')}) command="$command \${COMP_WORDS[at]}" ;;
    esac
  done
  case "$command:$prev" in
${valueCases([{ ...ROOT, ...spec, path: '' }, ...all])}
  esac
  # The file of --format sarif=FILE.
  if [[ $behind == '=' || \${COMP_WORDS[COMP_CWORD]} == '=' ]]; then _tollgate_files; return; fi
  case "$command" in
${[{ ...ROOT, ...spec, path: '' }, ...all].map(commandCase).join('\n')}
  esac
}

complete -F _tollgate tollgate
`;
}

/** A command with its path, a space before each name. */
interface PathSpec extends CommandSpec {
  readonly path: string;
}

const ROOT: CommandSpec = { name: '', summary: '', options: [], args: [], commands: [] };

function withPaths(commands: readonly CommandSpec[], above: string): readonly PathSpec[] {
  return commands.flatMap(command => {
    const path = `${above} ${command.name}`;
    return [{ ...command, path }, ...withPaths(command.commands, path)];
  });
}

function valueCases(commands: readonly PathSpec[]): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap(({ names, values }) => (values ? [caseOf(path, names, values)] : [])),
    )
    .join('\n');
}

function caseOf(path: string, names: readonly string[], values: Values): string {
  return `    ${names.map(name => `'${path}:${name}'`).join('|')}) ${completing(values)}; return ;;`;
}

function completing(values: Values): string {
  if (values.kind === 'words') return `_tollgate_words ${quote(values.words)}`;
  if (values.kind === 'project') return `_tollgate_words "$(${listCommand('bash', values.lists)})"`;
  return values.kind === 'file' ? '_tollgate_files' : ':';
}

function commandCase({ path, options, args, commands }: PathSpec): string {
  const below = commands.map(({ name }) => name);
  const last = args.at(-1);
  const otherwise = below.length > 0 ? `_tollgate_words ${quote(below)}` : last ? completing(last) : ':';
  return `    '${path}') if [[ $cur == -* ]]; then _tollgate_words ${quote(optionNames(options))}; else ${otherwise}; fi ;;`;
}

function optionNames(options: readonly OptionSpec[]): readonly string[] {
  return options.flatMap(({ names }) => names);
}

function quote(words: readonly string[]): string {
  return `'${words.join(' ').replaceAll("'", "'\\''")}'`;
}
