package manual

// Scripts are the scripts that connect shells with `seam completion words`, by the shell's
// name. Each is printed by `seam completion SHELL`.
var Scripts = map[string]string{
	"bash": `# Completion of seam in bash. To use it, add to ~/.bashrc:  source <(seam completion bash)
_seam() {
    local line files= IFS=$'\n'
    COMPREPLY=()
    for line in $(seam completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
        if [[ $line == :files ]]; then files=1; else COMPREPLY+=("${line%%$'\t'*}"); fi
    done
    if [[ -n $files && ${#COMPREPLY[@]} == 0 ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
    fi
    if [[ ${#COMPREPLY[@]} == 1 && $COMPREPLY == *[:=] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _seam seam
`,
	"zsh": `#compdef seam
# Completion of seam in zsh. To use it, add to ~/.zshrc, after compinit:  source <(seam completion zsh)
_seam() {
    local line files=
    local -a found
    for line in "${(@f)$(seam completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
        :files) files=1 ;;
        ?*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    (( $#found )) && _describe seam found
    [[ -n $files ]] && _files
}
compdef _seam seam
`,
	"fish": `# Completion of seam in fish. To use it:  seam completion fish > ~/.config/fish/completions/seam.fish
function __seam_words
    set -l words (commandline -opc) (commandline -ct)
    seam completion words -- $words[2..] 2>/dev/null
end
complete -c seam -f -a '(__seam_words | string match -v ":files")'
complete -c seam -n '__seam_words | string match -q ":files"' -F
`,
}
