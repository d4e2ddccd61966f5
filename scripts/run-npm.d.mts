export function runNpm(step: string, args: readonly string[]): void;
export function readNpm(step: string, args: readonly string[]): string;
