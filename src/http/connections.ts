/** How many connections an address may have to this process at a time. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { parseIp } from '../net/ip';
import { limitKey } from './client-ip';
import type { OnRefusal } from './refusals';

/** Closes every further connection of an address that has `most`; what it has under way continues. */
export function limitConnections(server: Server, most: number, onRefusal: OnRefusal): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    const key = limitKey(parseIp(peer)?.ip ?? peer);
    const others = open.get(key) ?? 0;
    if (others >= most) {
      onRefusal('other', 'connections');
      socket.destroy();
      return;
    }
    open.set(key, others + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 0) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}
