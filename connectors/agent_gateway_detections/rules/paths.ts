import type { PathRule } from './rule.ts'

/** A rule about paths by regular expressions over the path in lower case: one must fit, none of the others. */
function rule(
  [id, severity, title]: readonly [id: string, severity: PathRule['severity'], title: string],
  { any, except = [] }: { readonly any: readonly RegExp[]; readonly except?: readonly RegExp[] },
  examples: Pick<PathRule, 'found' | 'passed'>,
): PathRule {
  const match = (path: string) => any.some(each => each.test(path)) && !except.some(each => each.test(path))
  return { id: `file.${id}`, severity, title, match, ...examples }
}

/** Sensitive files. The first rule that fits a path counts, so the graver ones come first. */
export const PATH_RULES: readonly PathRule[] = [
  rule(
    ['ssh_private_key', 'critical', 'Private SSH key'],
    { any: [/(^|[/._-])id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/, /\/etc\/ssh\/ssh_host_\w+_key$/] },
    {
      found: [
        '~/.ssh/id_rsa',
        '/home/eve/.ssh/id_ed25519',
        '~/.ssh/x/../id_rsa',
        'backup/deploy_id_rsa',
        '/etc/ssh/ssh_host_rsa_key',
      ],
      passed: ['~/.ssh/id_rsa.pub', '~/.ssh/known_hosts', '~/.ssh/config', 'src/valid_rsa', 'docs/id_rsa.md'],
    },
  ),
  rule(
    ['cloud_credentials', 'critical', 'Credentials of a cloud or cluster'],
    {
      any: [
        /(^|\/)\.aws\/(credentials|sso\/cache\/|cli\/cache\/)/,
        /(^|\/)\.config\/gcloud\/(application_default_credentials\.json|credentials\.db|access_tokens\.db|legacy_credentials\/)/,
        /(^|\/)\.azure\/(accesstokens\.json|msal_token_cache|service_principal)/,
        /(^|\/)\.kube\/config$/,
        /\/etc\/kubernetes\/(admin|super-admin)\.conf$/,
        /(^|\/)\.docker\/config\.json$/,
        /(^|\/)\.oci\/config$/,
        /(^|\/)\.terraform\.d\/credentials\.tfrc\.json$/,
        /\/run\/secrets\/kubernetes\.io\/serviceaccount\/token$/,
      ],
    },
    {
      found: [
        '~/.aws/credentials',
        'C:\\Users\\eve\\.aws\\credentials',
        '/root/.kube/config',
        '~/.docker/config.json',
        '~/.config/gcloud/application_default_credentials.json',
        '/var/run/secrets/kubernetes.io/serviceaccount/token',
      ],
      passed: [
        '~/.aws/config',
        'docs/aws/credentials.md',
        'kube/config',
        '~/.docker/daemon.json',
        '.github/config.json',
      ],
    },
  ),
  rule(
    ['credential_store', 'critical', 'Stored logins'],
    {
      any: [
        /(^|\/)[._]netrc$/,
        /(^|\/)\.(pgpass|my\.cnf|git-credentials|pypirc|vault-token|htpasswd|npmrc\.secret)$/,
        /(^|\/)\.cargo\/credentials(\.toml)?$/,
        /(^|\/)\.gem\/credentials$/,
        /(^|\/)\.config\/gh\/hosts\.yml$/,
        /(^|\/)\.gnupg\/(private-keys-v1\.d\/|secring\.gpg)/,
        /(^|\/)\.password-store\//,
        /\.(kdbx?|keychain|keychain-db)$/,
        /\/(logins\.json|key4\.db|login data|login data for account)$/,
      ],
    },
    {
      found: [
        '~/.netrc',
        '~/.pgpass',
        '/root/.my.cnf',
        '~/.git-credentials',
        '~/.gnupg/private-keys-v1.d/A.key',
        'x/vault.kdbx',
      ],
      passed: ['~/.gitconfig', 'my.cnf', '/etc/mysql/my.cnf', '~/.npmrc', 'src/netrc.ts', '~/.gnupg/pubring.kbx'],
    },
  ),
  rule(
    ['system_accounts', 'critical', 'Password hashes or rights of the system'],
    {
      any: [
        /^(\/|(\.\.\/)+|\/proc\/\w+\/root\/)etc\/((shadow|gshadow|sudoers)-?$|sudoers\.d\/)/,
        /\/windows\/system32\/config\/(sam|security)$/,
      ],
    },
    {
      found: [
        '/etc/shadow',
        '/etc/../etc/./shadow',
        '../../etc/shadow',
        '/proc/1/root/etc/shadow',
        'file:///etc/%73hadow',
        '/etc/sudoers',
        '/etc/sudoers.d/90-eve',
        'C:\\Windows\\System32\\config\\SAM',
      ],
      passed: ['/etc/passwd', '/etc/group', 'docs/shadow', 'src/etc/shadow.test.ts', '/etc/hosts'],
    },
  ),
  rule(
    ['process_environment', 'high', 'Environment of a process'],
    { any: [/^\/proc\/(self|\d+|\$\w+|\$\$)\/(environ|mem)$/] },
    {
      found: ['/proc/self/environ', '/proc/1/environ'],
      passed: ['/proc/cpuinfo', '/proc/1/status', '/proc/self/maps'],
    },
  ),
  rule(
    ['environment_file', 'high', 'Environment file, which usually holds secrets'],
    {
      any: [/(^|\/)\.env(\.[\w.-]+)?$/, /(^|\/)\.envrc$/],
      except: [/\.env\.(\w+\.)?(example|sample|template|tmpl|dist|defaults?|schema|md)$/],
    },
    {
      found: ['.env', '/srv/app/.env', 'app/.env.production', '.env.local', '.envrc'],
      passed: [
        '.env.example',
        'config/.env.local.sample',
        'src/env.ts',
        'environment.yml',
        'venv/bin/python',
        'a.env.md',
      ],
    },
  ),
  rule(
    ['private_key', 'high', 'Private key or key store'],
    {
      any: [
        /\.(p12|pfx|jks|keystore|ppk)$/,
        /\.pem$/,
        // What it looks ahead to makes the first folder that fits the last: no path takes long.
        /^(?=.*[^/]\.key$)(.*\/)?(ssl|tls|certs?|pki|keys?|private|secrets?|letsencrypt)\/(.*\/)?[^/]+\.key$/,
        /(^|[/._-])(server|client|ca|tls|ssl|private|privkey|priv|signing)[._-]?(key)?\.key$/,
      ],
      except: [
        /(^|[/._-])(ca|cert|certs|cacert|fullchain|chain|bundle|pub|public|cert\d*|chain\d*|fullchain\d*)([._-][\w-]+)?\.pem$/,
      ],
    },
    {
      found: [
        'certs/privkey.pem',
        'server.key',
        '/etc/ssl/private/site.key',
        'release.keystore',
        'client.p12',
        'deploy.pem',
      ],
      passed: [
        '/etc/ssl/cacert.pem',
        'fullchain.pem',
        'cert.pem',
        'talk.key',
        'src/api.key.ts',
        'public.pem',
        'ca-bundle.pem',
      ],
    },
  ),
  rule(
    ['secrets_document', 'high', 'File that is named after the secrets in it'],
    {
      any: [
        /(^|[/._-])(secrets?|credentials?|passwords?|passwd|api[_-]?keys?|auth[_-]?tokens?|access[_-]?tokens?|service[_-]?account)([._-](prod|production|staging|dev|local|key|backup|\d+))*\.(json|ya?ml|toml|ini|txt|csv|xlsx?|docx?|properties|conf|cfg|enc|gpg|bak)$/,
        /^\/run\/secrets\/[^/]+$/,
      ],
      except: [
        /(^|\/)(docs?|tests?|__tests__|spec|examples?|fixtures|testdata|i18n|locales?|node_modules)\//,
        /[._-](schema|example|sample|template)\./,
      ],
    },
    {
      found: [
        'config/secrets.yml',
        'credentials.json',
        'old/passwords.csv',
        'gcp-service-account.json',
        '/run/secrets/db',
        'api_keys.txt',
      ],
      passed: [
        'src/token.ts',
        'src/password-reset.tsx',
        'docs/secrets.json',
        'lib/secret_santa.py',
        'tokenizer.json',
        'k8s/secrets.example.yaml',
        'locales/passwords.json',
      ],
    },
  ),
]

/** The rule about the gateway's own configuration and keys, in the folder that is named after it. */
export function gatewayFileRule(prefix: string): PathRule {
  const folder = prefix.toLowerCase().replace(/[^\w-]/g, '\\$&')
  return rule(
    ['gateway_config', 'high', 'Configuration or credentials of the gateway itself'],
    {
      any: [
        new RegExp(`(^|/)\\.${folder}/(${folder}\\.json|\\.env|credentials/|identity/|devices/)`),
        new RegExp(`(^|/)\\.${folder}/agents/[^/]+/agent/auth(-profiles)?\\.json$`),
      ],
    },
    {
      found: [
        `~/.${prefix}/${prefix}.json`,
        `/root/.${prefix}/credentials/wa.json`,
        `~/.${prefix}/agents/main/agent/auth-profiles.json`,
      ],
      passed: [`~/.${prefix}/workspace/notes.md`, `src/${prefix}.json`, `~/.${prefix}/cron/jobs.json`],
    },
  )
}

/** No system opens a longer path. */
const LONGEST = 4096

/**
 * A path as the rules want it: lower case, slashes, without `.` and `..` where they lead nowhere, and without what a shell
 * or URL puts around it.
 */
export function normalizePath(path: string): string {
  const plain = withoutScheme(path.slice(0, LONGEST).trim())
    .normalize('NFKC')
    .replaceAll('\\', '/')
    .replace(/\$\{?home\}?/gi, '~')
    .replace(/\/{2,}/g, '/')
    .toLowerCase()
  return /(^|\/)\.\.?(\/|$)/.test(plain) ? resolved(plain) : plain
}

function withoutScheme(path: string): string {
  if (!/^file:\/\//i.test(path)) return path
  const rest = path.slice('file://'.length)
  try {
    return decodeURIComponent(rest)
  } catch {
    return rest
  }
}

/** Names only; what links would lead to is not known. */
function resolved(path: string): string {
  const names: string[] = []
  for (const name of path.split('/')) {
    const last = names.at(-1)
    if (name === '.') continue
    if (name !== '..' || last === undefined || last === '..' || last === '~') names.push(name)
    else if (last !== '') names.pop()
  }
  return names.length === 1 && names[0] === '' ? '/' : names.join('/')
}
