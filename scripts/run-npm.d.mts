export function runNpm(step: string, args: readonly string[]): void;
