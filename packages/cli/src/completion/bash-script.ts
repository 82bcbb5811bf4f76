import type { CommandSpec, CompletionSpec, OptionSpec, Values } from './completion-spec.ts';

/** A script that bash sources to complete `tollgate`. Works from bash 3.2 on, and needs no other script. */
export function bashScript(spec: CompletionSpec): string {
  const names = spec.commands.map(({ name }) => name);
  return `# Completion of tollgate for bash: source <(tollgate completion bash)
_tollgate_words() {
  local IFS=$'\\n'
  COMPREPLY=($(IFS=' ' compgen -W "$1" -- "$cur"))
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
    case "\${COMP_WORDS[at]}" in
      ${names.join('|')}) command=\${COMP_WORDS[at]}; break ;;
    esac
  done
  case "$command:$prev" in
${valueCases(spec)}
  esac
  # The file of --format sarif=FILE.
  if [[ $behind == '=' || \${COMP_WORDS[COMP_CWORD]} == '=' ]]; then _tollgate_files; return; fi
  case "$command" in
    '') if [[ $cur == -* ]]; then _tollgate_words ${quote(optionNames(spec.options))}; else _tollgate_words ${quote(names)}; fi ;;
${spec.commands.map(commandCase).join('\n')}
  esac
}

complete -F _tollgate tollgate
`;
}

function valueCases({ options, commands }: CompletionSpec): string {
  const all = [{ name: '', options }, ...commands];
  return all
    .flatMap(({ name, options: own }) =>
      own.flatMap(({ names, values }) => (values ? [caseOf(name, names, values)] : [])),
    )
    .join('\n');
}

function caseOf(command: string, names: readonly string[], values: Values): string {
  return `    ${names.map(name => `${command}:${name}`).join('|')}) ${completing(values)}; return ;;`;
}

function completing(values: Values): string {
  if (values.kind === 'words') return `_tollgate_words ${quote(values.words)}`;
  return values.kind === 'file' ? '_tollgate_files' : ':';
}

function commandCase({ name, options, args }: CommandSpec): string {
  const last = args.at(-1);
  const otherwise = last ? completing(last) : ':';
  return `    ${name}) if [[ $cur == -* ]]; then _tollgate_words ${quote(optionNames(options))}; else ${otherwise}; fi ;;`;
}

function optionNames(options: readonly OptionSpec[]): readonly string[] {
  return options.flatMap(({ names }) => names);
}

function quote(words: readonly string[]): string {
  return `'${words.join(' ').replaceAll("'", "'\\''")}'`;
}
