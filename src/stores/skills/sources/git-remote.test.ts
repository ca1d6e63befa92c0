import { expect, test } from 'vitest';
import { refusePrivate } from './git-remote.ts';

test.each(['https://skills.invalid/x.git', 'ssh://git@skills.invalid/x.git', 'git@skills.invalid:x.git'])(
  'a name that leads to a private address is refused before git starts: %s',
  async (url) => {
    const lookup = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    await expect(refusePrivate({ url, lookup })).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('10.0.0.7'),
      hint: expect.stringContaining('network.allow_hosts'),
    });
    expect(await refusePrivate({ url, lookup, allowHosts: ['skills.invalid'] })).toMatchObject({
      host: 'skills.invalid',
      address: '93.184.216.34',
    });
  },
);

test('a name without an address is left to an ssh configuration or a proxy only where the person named it', async () => {
  const remote = { url: 'git@skills.invalid:x.git', lookup: async () => [] };
  expect(await refusePrivate(remote)).toBeUndefined();
  await expect(refusePrivate({ ...remote, pinAddress: true })).rejects.toMatchObject({
    data: { reason: 'unknown_host' },
  });
});
