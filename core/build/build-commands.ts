import type { Command, CommandOption, Distribution } from '#core/component'

const OPTIONS = {
  config: {
    type: 'string',
    default: 'builder.yaml',
    description: 'The manifest: what the distribution is called and made of',
  },
  'output-path': { type: 'string', description: "The folder to write, instead of the manifest's dist.output_path" },
  check: {
    type: 'boolean',
    default: false,
    description: 'Writes nothing, and fails when what stands there is not what would be built',
  },
  'skip-missing': {
    type: 'boolean',
    default: false,
    description: 'Leaves out components of the Go Collector that are not here, instead of failing',
  },
  verbose: { type: 'boolean', default: false, description: 'Lists every file with its size' },
} as const satisfies Readonly<Record<string, CommandOption>>

/**
 * The commands that build distributions out of the components of `own`. What they need is loaded when they run.
 */
export function buildCommands(own: Distribution): readonly Command[] {
  return [
    {
      name: 'build',
      summary: 'Builds a distribution that contains only what a manifest asks for',
      options: OPTIONS,
      async run({ options, operands, stdout, stderr }) {
        if (operands.length > 0) return misused(operands[0]!, stderr)
        const { runBuild } = await import('./run-build.ts')
        const fine = await runBuild(
          own,
          {
            config: String(options.config),
            outputPath: options['output-path'] === undefined ? undefined : String(options['output-path']),
            check: options.check === true,
            skipMissing: options['skip-missing'] === true,
            verbose: options.verbose === true,
          },
          { stdout, stderr },
        )
        return fine ? 0 : 1
      },
    },
    {
      name: 'build init',
      summary: 'Writes a manifest to begin with',
      usage: `${own.command} build init [file, default builder.yaml]`,
      async run({ operands: [file = 'builder.yaml', ...more], stdout, stderr }) {
        if (more.length > 0) return misused(more[0]!, stderr)
        const { writeScaffold } = await import('./scaffold.ts')
        await writeScaffold(file)
        stdout.write(`${file}: fill it in, then run ${own.command} build --config ${file}\n`)
        return 0
      },
    },
  ]
}

/** Says what is wrong with a command line; the exit code for it. */
function misused(argument: string, stderr: { write(text: string): void }): number {
  stderr.write(`Error: unexpected argument "${argument}"\n`)
  return 2
}
