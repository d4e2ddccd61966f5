/** Of `import` and of `require`. */
const NOT_FOUND: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** Whether an error of loading a module says that this package is not installed. */
export function isPackageMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return NOT_FOUND.includes(error.code) && error.message.includes(`'${name}'`);
}
