import { pageOfKeys } from '../../scripts/keys.mjs';

export default {
  paths: () => [{ params: { page: 'keys' }, content: pageOfKeys() }],
};
