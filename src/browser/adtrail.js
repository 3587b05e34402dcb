/**
 * Measures visits of a website and sends them to adtrail. Served at /adtrail.js, minified by `npm run build`, which
 * puts in the two lists that the collector has too: CLICK_ID_PARAMETERS and EXCLUDED_REFERRERS.
 *
 *   <script async src="https://HOST/adtrail.js" data-key="WEB_KEY"></script>
 *
 * No dependency: visitor, session and whatever has not arrived yet are kept in localStorage; visitor, session and
 * choice in a cookie too where data-cookie-domain names its domain. Visitors who send Do Not Track or Global Privacy
 * Control are not measured at all. With data-consent="required" nothing is kept or sent before adtrail.consent(true);
 * adtrail.optOut() ends it for good, and what was kept is gone.
 *
 * It runs in pages that it knows nothing of: what it reads may have any shape, any built-in function may be wrapped,
 * and none of its errors may reach the site. It does without Array.from and without JSON.stringify of objects, which
 * old libraries change.
 */
(function (window, document, navigator) {
  const warn = (text) => window.console.warn(`adtrail: ${text}`);
  function attempt(work, otherwise) {
    try {
      return work();
    } catch (error) {
      return otherwise && otherwise(error);
    }
  }
  /** What others call: whatever goes wrong in `work` is named in the console and never reaches the site. */
  const safe =
    (work) =>
    (...rest) =>
      attempt(() => work(...rest), warn);

  safe(() => {
    const script = [document.currentScript, document.querySelector('script[data-key][src*="adtrail.js"]')].find((tag) =>
      attempt(() => tag.getAttribute('data-key')),
    );
    const stub = window.adtrail;
    /** Runs the commands that a stub has kept, and those that it will be given. */
    function takeOver(api) {
      const early = stub !== api && stub && stub.q;
      window.adtrail = api;
      if (!early) return;
      api.q = early;
      for (const call of early) early.push(call);
    }
    const isRefused = navigator.globalPrivacyControl || /1|yes/.test(`${navigator.doNotTrack} ${window.doNotTrack}`);
    if (!script || isRefused) {
      const nothing = (window.adtrail = function () {});
      nothing.consent = nothing.optOut = nothing.optIn = nothing;
      return;
    }
    // A second tag in the page, or the same one run again by a router.
    if (window.__adtrail) {
      takeOver(window.__adtrail);
      return;
    }

    const attribute = (name) => script.getAttribute(`data-${name}`) || '';
    // Absolute, since <base> changes what a relative address means.
    const service = new URL(attribute('endpoint') || new URL(script.src).origin, window.location.href).href;
    const endpoint = `${service.replace(/\/$/, '')}/collect/v1/web?web-key=${encodeURIComponent(attribute('key'))}`;
    const cookieDomain = attribute('cookie-domain');
    const needsConsent = attribute('consent') === 'required';

    const SESSION_MS = 30 * 60000;
    const COOKIE_SECONDS = 400 * 86400;
    // sendBeacon and keepalive take 64 kB; the queue is bounded, so that a site long offline keeps its latest events.
    const MAX_BATCH = 50;
    const MAX_BYTES = 60000;
    const MAX_QUEUE = 500;
    const MAX_DEPTH = 20;
    const MAX_VALUES = 1000;
    const VISIT = 'adtrail';
    const QUEUE = 'adtrail_queue';
    const CHOICE = 'adtrail_choice';
    const YES = 1;
    const NO = 2;

    const leaveOut = (path) => warn(`${path} is left out`);
    const isNone = (value) => value === undefined || value === null || value === '';

    let valuesLeft = Infinity;
    /**
     * holder[name] as JSON, where it is `path` for the site. What cannot be written is named and left out: circles,
     * big integers, functions, NaN, what throws, what is endless. `above` is what holds it.
     */
    function write(holder, name, path, above) {
      try {
        let value = holder[name];
        if (valuesLeft-- <= 0) throw path;
        const isList = Array.isArray(value);
        const { toJSON } = (typeof value === 'object' && !isList && value) || {};
        if (typeof toJSON === 'function' && toJSON !== Object.prototype.toJSON) value = value.toJSON(name);
        if (value === undefined) return undefined;
        if (typeof value !== 'object' || value === null) {
          const text = JSON.stringify(value);
          if (text && (text !== 'null' || value === null)) return text;
        } else if (name !== '__proto__' && above.length < MAX_DEPTH && !above.includes(value)) {
          const inside = [...above, value];
          if (isList) return `[${[...value].map((_, i) => write(value, i, `${path}[${i}]`, inside) || 'null').join()}]`;
          return `{${writePairs(value, Object.keys(value), `${path}.`, inside)}}`;
        }
      } catch (error) {
        if (valuesLeft < 0 && above.length > 1) throw error;
      }
      return leaveOut(path);
    }
    const writePairs = (holder, names, path, above) =>
      names
        .map((name) => {
          if (!path) valuesLeft = MAX_VALUES;
          const text = write(holder, name, path + name, above);
          return text && `${JSON.stringify(name)}:${text}`;
        })
        .filter(Boolean)
        .join();
    const measure = (text) => new window.Blob([text]).size;
    const toText = (value) => write([value], 0, '', []);

    /** What is kept here because nothing else takes it: for this page alone. */
    const memory = {};
    /** The texts of the cookies with a name: a site may have its own. */
    const readCookies = (name) =>
      attempt(
        () =>
          cookieDomain &&
          document.cookie
            .split('; ')
            .filter((text) => text.startsWith(`${name}=`))
            .map((text) => attempt(() => decodeURIComponent(text.slice(name.length + 1)))),
      ) || [];
    const setCookie = (name, text, seconds) =>
      attempt(() => {
        const secure = window.location.protocol === 'https:' ? ';secure' : '';
        const rest = `;domain=${cookieDomain};path=/;max-age=${seconds};samesite=lax${secure}`;
        document.cookie = `${name}=${encodeURIComponent(text)}${rest}`;
      });
    /** What was kept under a name and is good; whatever else stands there counts as nothing. */
    function load(name, isGood) {
      if (memory[name]) return memory[name];
      for (const text of [...readCookies(name), attempt(() => window.localStorage.getItem(name))]) {
        const value = attempt(() => JSON.parse(text));
        if (attempt(() => isGood(value))) return value;
      }
      return undefined;
    }
    /** Whether the browser has kept the value: some storages are full, some throw, some do nothing. */
    function keep(name, value) {
      const text = toText(value);
      const inStorage = attempt(() => {
        window.localStorage.setItem(name, text);
        return window.localStorage.getItem(name) === text;
      });
      if (!cookieDomain || name === QUEUE) return inStorage;
      setCookie(name, text, COOKIE_SECONDS);
      return readCookies(name).includes(text) || inStorage;
    }
    function save(name, value) {
      memory[name] = keep(name, value) ? undefined : value;
    }
    function remove(name) {
      memory[name] = undefined;
      attempt(() => window.localStorage.removeItem(name));
      if (cookieDomain) setCookie(name, '', 0);
    }

    /** What happened before consent: kept by this page only. */
    let waiting = [];
    /** Runs `work` where the visitor is measured; later, where that is not decided yet; else never. */
    function whenAllowed(work) {
      const choice = load(CHOICE, (value) => value === YES || value === NO) || (needsConsent ? 0 : YES);
      if (choice === YES) work();
      else if (!choice) waiting = waiting.concat(work).slice(-MAX_QUEUE);
    }
    function choose(choice) {
      const held = waiting;
      waiting = [];
      if (choice === NO) {
        // First, so that a full storage has room for the choice.
        [VISIT, QUEUE].forEach(remove);
        unsaved = [];
      }
      save(CHOICE, choice);
      if (choice === YES) held.forEach((work) => safe(work)());
    }

    function newId() {
      if (window.crypto.randomUUID) return window.crypto.randomUUID();
      return [...window.crypto.getRandomValues(new Uint8Array(16))]
        .map((byte) => (byte + 256).toString(16).slice(1))
        .join('');
    }
    /** Whether the collector takes a text as an ID: others would cost the whole event. */
    const isId = (value) => typeof value === 'string' && /^[^\0\p{Cs}]{1,255}$/u.test(value);
    /** The ID that a site gives, which may be a number; undefined for none, and for what is none. */
    function readId(value, path) {
      const text = /^(str|num|big)/.test(typeof value) && String(value);
      if (isId(text)) return text;
      return isNone(value) ? undefined : leaveOut(path);
    }

    const CAMPAIGN = new RegExp(`[?&#;](utm_\\w+|gad_campaignid|\\w+clid|${CLICK_ID_PARAMETERS})=[^&#]+`, 'gi');
    /** A number for the campaign that an address names; empty for none. */
    function readCampaign(url) {
      const named = (url.match(CAMPAIGN) || []).map((text) => text.slice(1)).sort();
      let number = named.length;
      for (const char of named.join('&')) number = (number * 31 + char.codePointAt(0)) | 0;
      return named.length ? String(number) : '';
    }
    const readVisit = () => load(VISIT, (visit) => isId(visit.v)) || { v: newId() };
    /**
     * Visitor and session of an event that happens now. A new session begins after 30 minutes of inactivity, unless the
     * visitor was away to pay or to sign in, and with a new campaign.
     */
    function visit(now, campaign, wasAway) {
      const { v, s, t, c, u } = readVisit();
      const goesOn = isId(s) && (wasAway || Math.abs(now - t) < SESSION_MS) && (!campaign || campaign === c);
      const next = { v, s: goesOn ? s : newId(), t: now, c: goesOn ? c : campaign, u: isId(u) ? u : undefined };
      save(VISIT, next);
      return next;
    }

    let page = '';
    let timer;
    let failures = 0;
    let sending = false;
    let batchSize = MAX_BATCH;
    /** Events that the storage does not take. */
    let unsaved = [];
    /** IDs of events that have arrived and that the storage does not let go. */
    const arrived = new Set();
    /** IDs of events that the browser was asked to send as the page went. */
    const handed = new Set();

    function record(type, more, id = newId(), url = window.location.href, campaign = '', wasAway = false) {
      const now = Date.now();
      whenAllowed(() => {
        const { v, s, u } = visit(now, campaign, wasAway);
        const time = new Date(now).toISOString();
        const event = { event_id: id, type, time, visitor_id: v, session_id: s, url, user_id: u, ...more };
        if (measure(toText(event)) > MAX_BYTES) {
          leaveOut('properties');
          event.properties = undefined;
        }
        if (!keep(QUEUE, stored().concat(event).slice(-MAX_QUEUE))) unsaved = unsaved.concat(event).slice(-MAX_QUEUE);
        schedule(50);
      });
    }
    const stored = () => (load(QUEUE, Array.isArray) || []).filter((event) => event && isId(event.event_id));

    function schedule(ms) {
      clearTimeout(timer);
      timer = setTimeout(safe(flush), ms);
    }

    /** The body of the next batch and what is in it; undefined where all has been sent. */
    function nextBatch(skip) {
      const events = [];
      const texts = [];
      let bytes = 60;
      for (const event of stored().concat(unsaved)) {
        if (skip.has(event.event_id)) continue;
        const text = toText(event);
        const size = measure(text) + 1;
        if (events.length && (events.length >= batchSize || bytes + size > MAX_BYTES)) break;
        events.push(event);
        texts.push(text);
        bytes += size;
      }
      const body = `{"sent_at":"${new Date().toISOString()}","events":[${texts.join()}]}`;
      return events.length ? { events, body } : undefined;
    }
    function forget(events) {
      const gone = new Set(events.map((event) => event.event_id));
      const others = (list) => list.filter((event) => !gone.has(event.event_id));
      unsaved = others(unsaved);
      const before = stored();
      const after = others(before);
      if (after.length < before.length && !keep(QUEUE, after)) gone.forEach((id) => arrived.add(id) && handed.add(id));
    }

    // Async, so that it never throws, as what a site wraps fetch in may.
    const post = async (body, keepalive) =>
      window.fetch(endpoint, { method: 'POST', body, keepalive, credentials: 'omit' });
    async function flush() {
      if (sending) return;
      try {
        const next = nextBatch(arrived);
        if (!next) return;
        const { events, body } = next;
        sending = true;
        // All of a page's keepalive requests together take 64 kB: where others need them, the next one goes without.
        const response = await post(body, !failures);
        const { status } = response;
        if (status >= 500 || status === 429 || status === 408) throw status;
        failures = 0;
        if (events.length > 1 && (status === 400 || status === 413)) {
          // One event that the collector cannot read must not cost the others.
          batchSize = Math.ceil(events.length / 2);
        } else {
          batchSize = MAX_BATCH;
          forget(events);
          nameRefused(response, events).catch(() => status > 299 && warn(status));
        }
        sending = false;
        flush();
      } catch {
        sending = false;
        schedule(Math.min(60000, 1000 * 2 ** failures++));
      }
    }
    /** For who sets the site up: what the collector did not take. */
    async function nameRefused(response, events) {
      for (const { index, reason, field } of (await response.json()).rejected)
        warn(`${events[index].name}: ${reason} ${field}`);
    }

    /**
     * As the page goes, everything is handed to the browser. It stays queued, because nobody learns whether it arrives;
     * sent twice it counts once.
     */
    function leave() {
      for (let next; (next = nextBatch(handed));) {
        const { events, body } = next;
        if (!attempt(() => navigator.sendBeacon(endpoint, body))) post(body, true).catch(() => undefined);
        for (const event of events) handed.add(event.event_id);
      }
    }

    /** The host of an address, or of a part of one; empty for none. */
    const readHost = (address) =>
      attempt(() => new URL(address.replace(/^([a-z-]+:\/\/)?(\*?\.)?/i, 'http://')).hostname) || '';
    const excluded = `${attribute('excluded-referrers')} ${EXCLUDED_REFERRERS}`
      .split(/[\s,;]+/)
      .map(readHost)
      .filter(Boolean);
    const isExcluded = (referrer) => excluded.some((end) => `.${readHost(referrer)}`.endsWith(`.${end}`));

    const address = () => window.location.href.replace(/#(?![/!]).*$/, '');
    const withoutQuery = (url) => url.replace(/\?[^#]*/g, '');

    function viewPage(referrer, url = window.location.href) {
      page = address();
      const wasAway = isExcluded(referrer);
      record('page_view', { referrer: wasAway ? '' : referrer }, newId(), url, readCampaign(url), wasAway);
    }
    /**
     * A page of a single-page site is another address, its fragment only where it is a route. One that is replaced and
     * differs in its query alone is the same page.
     */
    function navigate(isReplaced) {
      const former = page;
      page = address();
      if (isReplaced ? withoutQuery(page) !== withoutQuery(former) : page !== former) viewPage(former);
    }
    /** A number, or a text that is one; anything else is named and left out. */
    function readNumber(value, path) {
      if (isNone(value)) return undefined;
      const text = attempt(() => String(value).trim());
      const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
      if (Math.abs(number) <= 1e15) return number;
      return leaveOut(path);
    }
    function setUser(id) {
      const user = readId(id, 'user_id');
      if (!user && (id === undefined || !isNone(id))) return;
      whenAllowed(() => save(VISIT, { ...readVisit(), u: user }));
    }

    const commands = {
      __proto__: null,
      /** adtrail('event', name, {revenue, user_id, event_id, ...properties}) */
      event(name, details) {
        if (isNone(name)) return leaveOut('event without a name');
        const sent = typeof details === 'object' && details ? details : {};
        const read = (field) => attempt(() => sent[field]);
        setUser(read('user_id'));
        const names = Object.keys(sent).filter((field) => !['revenue', 'user_id', 'event_id'].includes(field));
        const properties = `{${writePairs(sent, names, '', [sent])}}`;
        valuesLeft = Infinity;
        return record(
          'event',
          {
            name: String(name).slice(0, 255),
            revenue: readNumber(read('revenue'), 'revenue'),
            properties: JSON.parse(properties),
          },
          readId(read('event_id'), 'event_id'),
        );
      },
      /** adtrail('user', id): the site's own ID of the visitor, sent with every event from now on; null forgets it. */
      user: setUser,
      /** adtrail.consent(true): the visitor agrees, and what happened on this page so far counts; false: refuses. */
      consent: (given) => choose(given ? YES : NO),
      /** adtrail.optOut(): never measured again on this website; what was kept is gone. */
      optOut: () => choose(NO),
      /** adtrail.optIn(): as if the visitor had never chosen. */
      optIn: () => remove(CHOICE),
    };
    const api = safe((command, ...rest) => {
      commands[command](...rest);
    });
    for (const name of ['consent', 'optOut', 'optIn']) api[name] = safe(commands[name]);
    // A stub that somebody has kept makes a queue here.
    Object.defineProperty(api, 'q', {
      set(queue) {
        queue.push = safe((call) => api(...call));
      },
    });
    window.__adtrail = api;

    const start = safe(() => {
      const listen = (target, name, work) => target && target.addEventListener(name, safe(work));
      // Sites take the campaign out of the address before an async script runs: the one that was opened has it.
      const here = window.location.href;
      const opened = String(attempt(() => window.performance.getEntriesByType('navigation')[0].name));
      viewPage(document.referrer, readCampaign(opened) && !readCampaign(here) ? opened : here);
      for (const name of ['pushState', 'replaceState']) {
        const original = window.history[name];
        window.history[name] = function (...rest) {
          const result = original.apply(this, rest);
          safe(navigate)(name === 'replaceState');
          return result;
        };
      }
      // Routers that do not use history itself; of the same change navigate is told twice, and counts it once.
      listen(window.navigation, 'currententrychange', (event) => navigate(event.navigationType === 'replace'));
      listen(window, 'popstate', () => navigate());
      listen(window, 'hashchange', () => navigate());
      listen(window, 'pagehide', leave);
      listen(window, 'pageshow', (event) => event.persisted && viewPage(document.referrer));
      listen(window, 'online', () => schedule(0));
      listen(document, 'visibilitychange', () => (document.visibilityState === 'hidden' ? leave() : schedule(0)));
      takeOver(api);
    });
    if (document.prerendering) document.addEventListener('prerenderingchange', start, { once: true });
    else start();
  })();
})(window, document, navigator);
