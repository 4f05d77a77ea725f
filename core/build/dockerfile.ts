/** What an image is made of. */
export interface Image {
  readonly name: string
  readonly hasPackages: boolean
  readonly hasConfig: boolean
  /** Ports that are opened. */
  readonly ports: readonly number[]
  /** The major version of Node. */
  readonly node: number
}

/**
 * The definition of an image that holds the bundle, the packages beside it and nothing else; it runs as a user that is not
 * root and needs no writable file system.
 */
export function dockerfile({ name, hasPackages, hasConfig, ports, node }: Image): string {
  const install = `FROM node:${node}-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

`
  const lines = [
    `FROM node:${node}-slim`,
    'WORKDIR /app',
    ...(hasPackages ? ['COPY --from=install /app/node_modules node_modules'] : []),
    `COPY package.json ${hasConfig ? 'config.yaml ' : ''}./`,
    'COPY lib lib',
    'USER 65532:65532',
    '# The young generation stays small: buffers live outside it, and what it may grow to is resident memory.',
    'ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=16 NODE_DISABLE_COMPILE_CACHE=1',
    ...(ports.length > 0 ? [`EXPOSE ${ports.join(' ')}`] : []),
    'ENTRYPOINT ["node", "lib/main.js"]',
    ...(hasConfig ? [] : [`CMD ["--config", "/etc/${name}/config.yaml"]`]),
    '',
  ]
  return (hasPackages ? install : '') + lines.join('\n')
}

/** What is sent to whoever builds the image: what it copies, and nothing else. */
export function dockerignore({ hasPackages, hasConfig }: Pick<Image, 'hasPackages' | 'hasConfig'>): string {
  const needed = ['package.json', ...(hasPackages ? ['package-lock.json'] : []), ...(hasConfig ? ['config.yaml'] : [])]
  return `*\n${[...needed, 'lib'].map(each => `!${each}\n`).join('')}`
}
