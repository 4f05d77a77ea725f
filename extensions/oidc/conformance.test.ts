import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeExtension } from '#core/testing'
import { oidcExtension } from './index.ts'

describeExtension(oidcExtension, {
  folder: import.meta.dirname,
  written: directory => {
    const public_keys_file = join(directory, 'keys.json')
    const { publicKey } = generateKeyPairSync('ed25519')
    writeFileSync(public_keys_file, JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }))
    return { providers: [{ issuer_url: 'https://issuer.example', audience: 'collector', public_keys_file }] }
  },
})
