// A required setting from the environment.
export function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  process.stderr.write(`${name} is not set. Start "npm run demo" first: it writes this example's settings.\n`);
  process.exit(1);
}
