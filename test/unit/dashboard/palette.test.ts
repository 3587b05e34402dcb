/** What the command palette finds. */
import { findCommands, readId, type Command } from '../../../dashboard/src/shell/commands';

const command = (label: string, group = 'Pages', about?: string): Command => ({
  id: label,
  group,
  label,
  to: '/',
  ...(about !== undefined && { about }),
});
const commands = [command('Overview'), command('Set up'), command('Summer sale', 'Campaigns', 'sUm-1')];
const found = (typed: string) => findCommands(commands, typed).map(({ label }) => label);

test.each([
  ['', ['Overview', 'Set up', 'Summer sale']],
  ['SUM', ['Summer sale']],
  ['sale summer', ['Summer sale']],
  ['sum-1', ['Summer sale']],
  ['campaigns', ['Summer sale']],
  ['s', ['Set up', 'Overview', 'Summer sale']],
  ['nothing', []],
])('%j finds %j', (typed, labels) => expect(found(typed)).toEqual(labels));

test('of each group no more than eight are listed', () => {
  const many = Array.from({ length: 20 }, (_, i) => command(`Campaign ${i}`, 'Campaigns'));
  expect(findCommands([...many, command('Overview')], '').map(({ group }) => group)).toEqual([
    ...Array.from({ length: 8 }, () => 'Campaigns'),
    'Pages',
  ]);
});

test.each([
  ['ab', undefined],
  [' abc ', 'abc'],
  ['two words', undefined],
])('%j looks for the ID %j', (typed, id) => expect(readId(typed)).toBe(id));
