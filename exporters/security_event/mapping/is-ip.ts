/** Whether a text has the form of an IP address, v4 or v6. */
export function isIp(text: string): boolean {
  return /^(\d{1,3}\.){3}\d{1,3}$/.test(text) || (text.includes(':') && /^[0-9a-f:.]+$/i.test(text))
}
