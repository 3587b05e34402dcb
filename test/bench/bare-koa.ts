/** The yardstick of the ingest benchmark: a Koa app that answers a constant JSON, in a process of its own. */
import Koa from 'koa';

const app = new Koa();
app.use((ctx) => {
  ctx.body = { status: 'accepted', click_id: '36eef309-43a0-890d-a3ba-e617a934edf5' };
});
app.listen(Number(process.argv[2]), '127.0.0.1', 4096);
