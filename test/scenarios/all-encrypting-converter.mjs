// As encrypting-converter.mjs, for the messages of failures as well.
import { fileURLToPath } from 'node:url';
import encrypting from './encrypting-converter.mjs';

export default {
  ...encrypting,
  failureConverterPath: fileURLToPath(new URL('./encrypted-failures.mjs', import.meta.url)),
};
