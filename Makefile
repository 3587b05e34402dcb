# Everything a newcomer needs: Node 26 (20.19 or newer works too), make and git are enough.
.PHONY: run demo ci lint sbom clean
.PHONY: test test-unit test-integration test-cluster test-resilience test-soak test-repeat test-measure
.PHONY: bench-ingest bench-app-report bench-campaigns bench-datacenter bench-web-report bench-collect bench-attribution
.PHONY: bench-query bench-hostile bench-hot-identifier bench-idle bench-views bench-dashboard bench-outbox
.PHONY: bench-planning bench-batch bench-latency bench-trace bench-export

node_modules/.installed: package-lock.json
	npm ci
	@touch $@

dist/.built: node_modules/.installed package.json tsconfig.json tsconfig.build.json \
             $(shell find src dashboard clients clickhouse/migrations -type f \
               -not -path '*/node_modules/*' -not -path '*/dist/*')
	npm run build
	@touch $@

# Installs, builds and starts the service on its embedded engines, with a demo workspace and commands to try it.
run: dist/.built
	@exec node --max-semi-space-size=64 dist/cli.js serve --demo

# Starts the service on free ports and in data/demo, fills it with 60 days of simulated traffic, prints its reports and
# goes on serving.
demo: dist/.built
	@exec node --max-semi-space-size=64 dist/cli.js demo

# Passes all tests against real engines, or those of one file: make test FILE=test/integration/links/links.test.ts
test: dist/.built
	npx jest $(FILE)

# The same with a table of what each file costs: time, services, work of ClickHouse.
test-measure: dist/.built
	npx jest $(FILE) --reporters=default --reporters=./test/support/measuring-reporter.js

# All rounds of what `make test` plays a few of: kills, load, random histories, mutated requests. The run ends with its
# seed; TEST_SEED=N draws the same again.
test-soak: dist/.built
	SOAK=true npx jest $(or $(FILE),--selectProjects unit resilience integration cluster)

# One file N times, each with a seed of its own, until it fails:
# make test-repeat FILE=test/resilience/operations/kills.test.ts N=20
N = 10
test-repeat: dist/.built
	@for i in $$(seq $(N)); do echo "run $$i of $(N)"; npx jest $(FILE) || exit 1; done

# Modules by themselves; takes seconds.
test-unit: dist/.built
	npx jest --selectProjects unit

# The service over HTTP.
test-integration: dist/.built
	npx jest --selectProjects integration

# What runs on a ClickHouse cluster of two shards, too.
test-cluster: dist/.built
	npx jest --selectProjects cluster

# The service under kills and load.
test-resilience: dist/.built
	npx jest --selectProjects resilience

lint: node_modules/.installed
	npm run lint
	npm run lint:imports
	npm run typecheck

# What the service consists of, in CycloneDX's form, as sbom.cdx.json.
sbom: package-lock.json
	npm sbom --sbom-format cyclonedx --omit dev --package-lock-only > sbom.cdx.json

# Benchmarks, see docs/benchmarks.md.

# Accepted, durable clicks per second against a bare Koa app; takes some minutes. With WORKERS=2,4 instead: more
# workers, and three processes behind haproxy, against one.
bench-ingest: dist/.built
	npx tsx test/bench/ingest.ts

# Ways to a steadier latency; takes ten minutes. WAYS='as delivered,no merges' for some of them.
bench-latency: dist/.built
	npx tsx test/bench/latency.ts

# Where the slowest answers come from, to the millisecond; takes half a minute.
bench-trace: dist/.built
	npx tsx test/bench/trace.ts

# Accepted, durable clicks per second by batches, against single requests; takes three minutes.
bench-batch: dist/.built
	npx tsx test/bench/batch.ts

# Lists, ingest, start and memory with 100,000 campaigns in one project; takes two minutes.
bench-campaigns: dist/.built
	npx tsx test/bench/campaigns.ts

# The app report over a year, against the same figures from the base tables; CLICKS=20 for 20 million clicks, not 100.
bench-app-report: dist/.built
	npx tsx test/bench/app-report.ts

# Ten million clicks as NDJSON, Parquet and CSV, and a day of them to a bucket; CLICKS=1000000 makes it smaller.
bench-export: dist/.built
	npx tsx test/bench/export.ts

# Looking up an address among the networks of data centres; takes a second.
bench-datacenter: dist/.built
	npx tsx test/bench/datacenter.ts

# The views that data engineers query, against their base tables; CLICKS=1000000 makes it smaller.
bench-views: dist/.built
	npx tsx test/bench/views.ts

# The year report of web campaigns against a bare scan, and the collector; EVENTS=20000000 makes it smaller.
bench-web-report: dist/.built
	npx tsx test/bench/web-report.ts

# Postbacks and webhooks: SECONDS=60, INSTALLS=500 a second, PENDING=1000000.
bench-outbox: dist/.built
	npx tsx test/bench/outbox.ts

# Accepted, durable app events per second through the collector.
bench-collect: dist/.built
	npx tsx test/bench/collect.ts

# How long installs wait for their decision with 50 million clicks stored (CLICKS=...); takes minutes and 10 GB of disk.
bench-attribution: dist/.built
	npx tsx test/bench/attribution.ts

# How long others wait while 200,000 clicks and 2,000 installs share an address, a device or a click; some minutes.
bench-hot-identifier: dist/.built
	npx tsx test/bench/hot-identifier.ts

# How long the costliest requests that anyone can send hold the event loop; takes a minute.
bench-hostile: dist/.built
	npx tsx test/bench/hostile.ts

# What a service with the demo's data takes while nothing happens; takes four minutes.
bench-idle: dist/.built
	npx tsx test/bench/idle.ts

# How soon the dashboard can be used, in Chromium, over the data of the demo; takes two minutes. INSTALLS=... for more
# of them, MILLIONS=5 for a year of five million, which takes half an hour.
bench-dashboard: dist/.built
	npx tsx test/bench/dashboard.ts

# What queries cost over the data of the demo, statement by statement; takes three minutes.
bench-query: dist/.built
	npx tsx test/bench/query.ts

# How long ClickHouse takes to plan each statement that a service runs, and which ones an event sets off; five minutes.
bench-planning: dist/.built
	npx tsx test/bench/planning.ts

clean:
	rm -rf dist node_modules
