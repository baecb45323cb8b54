/** What `toolgate init` writes. It teaches: each rule says why it is there. */
export const DEFAULT_CONFIG = `# What the tools of your agents may do here. Toolgate checks every call against this file.
#
# A call is judged by what it would touch. For each touch the strictest rule that covers it wins:
# deny before ask before allow, in whatever order they stand. What no rule covers is denied.
#
# Paths: \`./\` is the workspace, \`/\` the machine. \`*\` and \`?\` stay within one name, \`**\` is any number of
# folders, also none. Try a rule with: toolgate explain read_file '{"path": "README.md"}'

workspace: .          # the folder that ./ means, relative to this file
state: .toolgate      # ledger and state of calls; no tool gets in there, whatever the rules say

tools:
  builtin: [files]

rules:
  - id: read-workspace
    effect: allow
    touch: { read: ["./**"] }
    because: Reading the workspace is harmless.

  - id: keep-secrets-closed
    effect: deny
    touch:
      read:
        - ./**/.env
        - ./**/.env.*
        - ./**/*.pem
        - ./**/*.key
        - ./**/id_rsa
        - ./**/id_ed25519
        - ./**/.ssh/**
        - ./**/.netrc
        - ./**/.git-credentials
        - ./**/.aws/credentials
    because: What a model has read can leave this machine.

  - id: write-workspace
    effect: ask       # allow, once you trust the agent with your files
    touch: { write: ["./**"] }
    because: A person looks at each change.

  - id: delete-workspace
    effect: ask
    touch: { delete: ["./**"] }
    because: What is deleted may be in no backup.

  - id: protect-machinery
    effect: deny
    touch:
      write:
        - ./**/.git
        - ./**/.git/**
        - ./.toolgate/**
        - ./toolgate.yaml
        - ./**/.vscode/**
        - ./**/.idea/**
        - ./**/.envrc
        - ./**/.npmrc
        - ./**/.mcp.json
        - ./**/.bashrc
        - ./**/.bash_profile
        - ./**/.profile
        - ./**/.zshrc
        - ./**/.zshenv
        - ./**/.gitconfig
      delete:
        - ./**/.git
        - ./**/.git/**
        - ./.toolgate/**
        - ./toolgate.yaml
        - ./**/.vscode/**
        - ./**/.idea/**
        - ./**/.envrc
        - ./**/.npmrc
        - ./**/.mcp.json
        - ./**/.bashrc
        - ./**/.bash_profile
        - ./**/.profile
        - ./**/.zshrc
        - ./**/.zshenv
        - ./**/.gitconfig
    because: Other programs run what stands in these files, without asking anybody.

  # No rule speaks about files outside the workspace: they are denied, and so is every touch that a later version
  # of a tool may come to have. Open what you need, and only that:
  #
  # - id: read-the-manual
  #   effect: allow
  #   tools: [read_file]
  #   touch: { read: ["/usr/share/doc/**"] }
  #   because: The agent looks things up there.

sandbox:
  minimum: namespaces # namespaces | none (none lets programs run uncontained)

ledger:
  durability: full    # full survives a power cut | normal survives a crash of the gate only
`;
