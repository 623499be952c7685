/**
 * The script of a report: sorts and filters its tables, and unpacks the evidence of a case when it is opened. It is one file, since a
 * page carries it whole and loads nothing.
 */
(() => {
  "use strict";

  /** Rows of the table of cases that are shown at once. */
  const PAGE_SIZE = 100;
  /** Characters of a text that are shown before more is asked for. */
  const LONG_TEXT = 20_000;
  /** Rows from which a table above the cases gets a filter. */
  const MANY_ROWS = 12;

  const collator = new Intl.Collator(undefined, { numeric: true });

  /** An element with attributes and children; every text becomes a text node, so nothing in it is markup. */
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
    }
    made.append(...children.filter((child) => child !== undefined));
    return made;
  }

  const unpacked = new Map();

  /** What a packed block of the page holds. */
  function unpack(id) {
    const known = unpacked.get(id);
    if (known !== undefined) return known;
    const work = (async () => {
      const packed = document.getElementById(id)?.textContent ?? "";
      const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      return JSON.parse(await new Response(stream).text());
    })();
    unpacked.set(id, work);
    return work;
  }

  /** Compares two cells of one column; numbers come before words, and what has no order stands last. */
  function compareOrders(a, b) {
    if (typeof a === "number" && typeof b === "number") return a === b ? 0 : a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return collator.compare(a, b);
  }

  /** Makes the header cells of a table into buttons that sort by their column. */
  function makeSortable(head, sort) {
    for (const [index, cell] of [...head.cells].entries()) {
      const button = element("button", { type: "button" }, cell.textContent);
      cell.replaceChildren(button);
      button.addEventListener("click", () => {
        const direction = cell.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        for (const other of head.cells) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", direction);
        sort(index, direction === "ascending" ? 1 : -1);
      });
    }
  }

  function orderOf(cell) {
    const order = cell.dataset.order;
    return order === undefined ? cell.textContent : Number(order);
  }

  /** Sorts and filters the tables that stand whole in the page. */
  function enhanceTable(table) {
    const body = table.tBodies[0];
    makeSortable(table.tHead.rows[0], (index, sign) => {
      const rows = [...body.rows].map((row, place) => ({ row, place, order: orderOf(row.cells[index]) }));
      rows.sort((a, b) => sign * compareOrders(a.order, b.order) || a.place - b.place);
      body.append(...rows.map(({ row }) => row));
    });
    if (body.rows.length < MANY_ROWS) return;
    const input = element("input", { type: "search", autocomplete: "off" });
    const status = element("span", { role: "status" });
    const texts = new Map([...body.rows].map((row) => [row, row.textContent.toLowerCase()]));
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      let visible = 0;
      for (const [row, text] of texts) {
        row.hidden = !text.includes(wanted);
        if (!row.hidden) visible++;
      }
      status.textContent = `${visible} of ${texts.size} rows`;
    });
    const label = element("label", {}, `Filter: ${table.caption.textContent}`, input);
    const form = element("form", {}, label, status);
    form.addEventListener("submit", (event) => event.preventDefault());
    table.parentElement.before(form);
  }

  function textOf(cell) {
    return Array.isArray(cell) ? cell[0] : String(cell);
  }

  function groupOf(cell) {
    return Array.isArray(cell) ? cell[1] : String(cell);
  }

  /** What a cell is sorted by; JSON has no infinity, and writes null. */
  function orderOfCell(cell) {
    return Array.isArray(cell) ? cell[2] ?? Infinity : cell;
  }

  const CLASSES = {
    pass: "pass",
    fail: "fail",
    better: "pass",
    worse: "fail",
    missing: "absent",
    excluded: "absent",
  };

  /** The table of cases: rows are unpacked at once, evidence when a case is opened. */
  async function showCases(meta) {
    const table = document.getElementById("case-table");
    const status = document.getElementById("case-status");
    const { columns, rowBlocks } = meta;
    const blocks = await Promise.all(
      Array.from({ length: rowBlocks }, (_, index) => unpack(`rows-${index}`)),
    );
    const rows = blocks.flat().map(([block, place, ...cells]) => ({ block, place, cells, text: "" }));
    for (const row of rows) row.text = row.cells.map(textOf).join("\n").toLowerCase();

    const state = { query: "", choices: new Map(), page: 0, column: -1, sign: 1 };
    let shown = rows;

    function choose() {
      const query = state.query.trim().toLowerCase();
      shown = rows.filter((row) =>
        (query === "" || row.text.includes(query)) &&
        [...state.choices].every(([index, group]) => groupOf(row.cells[index]) === group)
      );
      if (state.column >= 0) {
        const keyed = shown.map((row, place) => ({
          row,
          place,
          order: orderOfCell(row.cells[state.column]),
        }));
        keyed.sort((a, b) => state.sign * compareOrders(a.order, b.order) || a.place - b.place);
        shown = keyed.map(({ row }) => row);
      }
      state.page = 0;
      render();
    }

    function render() {
      const pages = Math.max(1, Math.ceil(shown.length / PAGE_SIZE));
      const from = state.page * PAGE_SIZE;
      const visible = shown.slice(from, from + PAGE_SIZE);
      table.tBodies[0].replaceChildren(...visible.map((row, index) => rowElement(row, from + index)));
      status.textContent = `${shown.length} of ${rows.length} cases${
        pages > 1 ? `, page ${state.page + 1} of ${pages}` : ""
      }`;
      document.getElementById("case-before").disabled = state.page === 0;
      document.getElementById("case-after").disabled = state.page >= pages - 1;
    }

    function rowElement(row, index) {
      return element(
        "tr",
        {},
        ...row.cells.map((cell, column) => {
          const text = textOf(cell);
          if (column === 0) {
            const button = element("button", { type: "button" }, element("bdi", {}, text));
            button.addEventListener("click", () => openCase(index));
            return element("td", {}, button);
          }
          const { numeric, preview } = columns[column];
          const long = /\S{41}/.test(text) ? "long" : "";
          const classes = [numeric ? "number" : preview ? "preview" : "", long, CLASSES[groupOf(cell)] ?? ""]
            .join(
              " ",
            )
            .trim();
          return element("td", { class: classes === "" ? undefined : classes }, element("bdi", {}, text));
        }),
      );
    }

    const dialog = document.getElementById("case");
    let opened = 0;

    async function openCase(index) {
      const row = shown[index];
      if (row === undefined) return;
      opened = index;
      const detail = (await unpack(`cases-${row.block}`))[row.place];
      const passages = await passagesOf(detail, meta.passages);
      document.getElementById("case-name").textContent = detail.id;
      document.getElementById("case-body").replaceChildren(...detailElements(detail, passages));
      document.getElementById("case-previous").disabled = index === 0;
      document.getElementById("case-next").disabled = index >= shown.length - 1;
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0;
      document.getElementById("case-name").focus();
      history.replaceState(null, "", `#case=${encodeURIComponent(detail.id)}`);
    }

    document.getElementById("case-previous").addEventListener("click", () => openCase(opened - 1));
    document.getElementById("case-next").addEventListener("click", () => openCase(opened + 1));
    document.getElementById("case-close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => history.replaceState(null, "", "#cases"));

    const turn = (step) => () => {
      state.page += step;
      render();
      table.scrollIntoView();
    };
    document.getElementById("case-before").addEventListener("click", turn(-1));
    document.getElementById("case-after").addEventListener("click", turn(1));
    makeSortable(table.tHead.rows[0], (index, sign) => {
      state.column = index;
      state.sign = sign;
      choose();
    });
    makeFilters(columns, rows, state, choose);
    render();
    const asked = /^#case=(.+)$/.exec(location.hash);
    if (asked !== null) {
      const id = decodeURIComponent(asked[1]);
      const index = rows.findIndex(({ cells }) => cells[0] === id);
      if (index >= 0) await openCase(index);
    }
  }

  /** A search field and a choice per column that has groups. */
  function makeFilters(columns, rows, state, choose) {
    const form = document.getElementById("case-filters");
    const search = element("input", { type: "search", autocomplete: "off" });
    search.addEventListener("input", () => {
      state.query = search.value;
      choose();
    });
    form.append(element("label", {}, "Search", search));
    for (const [index, { name, choice }] of columns.entries()) {
      if (choice !== true) continue;
      const counts = new Map();
      for (const { cells } of rows) {
        const group = groupOf(cells[index]);
        counts.set(group, (counts.get(group) ?? 0) + 1);
      }
      if (counts.size < 2) continue;
      const groups = [...counts].sort(([a], [b]) => collator.compare(a, b));
      const select = element(
        "select",
        {},
        element("option", { value: "" }, "all"),
        ...groups.map(([group, count]) => element("option", { value: `=${group}` }, `${group} (${count})`)),
      );
      select.addEventListener("change", () => {
        if (select.value === "") state.choices.delete(index);
        else state.choices.set(index, select.value.slice(1));
        choose();
      });
      form.append(element("label", {}, name, select));
    }
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** The passages that a case names, by their index. */
  async function passagesOf({ executions }, starts) {
    const wanted = new Set(
      executions.flatMap((
        { candidates = [], context = [] },
      ) => [...candidates.map(([passage]) => passage), ...context]),
    );
    const found = new Map();
    for (const index of wanted) {
      let block = starts.length - 1;
      while (starts[block] > index) block--;
      found.set(index, (await unpack(`passages-${block}`))[index - starts[block]]);
    }
    return found;
  }

  /** A text as it is; of a long one the beginning, until all of it is asked for. */
  function textElement(text) {
    const shown = element("pre", { dir: "auto", tabindex: "0" }, text.slice(0, LONG_TEXT));
    if (text.length <= LONG_TEXT) return shown;
    const more = element("button", { type: "button" }, `Show all ${text.length.toLocaleString()} characters`);
    more.addEventListener("click", () => {
      shown.textContent = text;
      shown.focus();
      more.remove();
    });
    return element("div", {}, shown, more);
  }

  function detailElements(detail, passages) {
    return [
      ...detail.facts.flatMap(([name, value]) => [element("h3", {}, name), textElement(value)]),
      ...detail.executions.flatMap((execution) =>
        executionElements(execution, passages, detail.executions.length > 1)
      ),
    ];
  }

  function executionElements(execution, passages, several) {
    const { name, query, candidates, context, output, error, notes, judgments } = execution;
    const title = several ? (text) => `${text} · ${name}` : (text) => text;
    return [
      ...(output === undefined ? [] : [element("h3", {}, title("Output")), textElement(output)]),
      ...(error === undefined ? [] : [element("h3", {}, title("Failed")), textElement(error)]),
      ...(notes.length === 0 ? [] : [element("p", {}, notes.join(" · "))]),
      element("h3", {}, title("Judgments")),
      simpleTable(["Criterion", "Judgment"], judgments),
      ...(query === undefined ? [] : [element("h3", {}, title("Query")), textElement(query)]),
      ...(candidates === undefined ? [] : [
        element("h3", {}, title(`Candidates: ${candidates.length}`)),
        candidateTable(candidates, passages),
      ]),
      ...(context === undefined ? [] : [
        element("h3", {}, title(`Context: ${context.length} passage${context.length === 1 ? "" : "s"}`)),
        ...context.flatMap((index) => passageElements(passages.get(index))),
      ]),
    ];
  }

  function passageElements([name, text, metadata]) {
    return [
      element("p", {}, element("strong", {}, element("bdi", {}, name))),
      ...(text === null ? [] : [textElement(text)]),
      ...(metadata === null ? [] : [textElement(metadata)]),
    ];
  }

  function simpleTable(heads, rows) {
    return element(
      "div",
      { class: "wide" },
      element(
        "table",
        {},
        element(
          "thead",
          {},
          element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head))),
        ),
        element(
          "tbody",
          {},
          ...rows.map((cells) =>
            element(
              "tr",
              {},
              ...cells.map((cell) => element("td", { class: "long" }, element("bdi", {}, cell))),
            )
          ),
        ),
      ),
    );
  }

  function candidateTable(candidates, passages) {
    const heads = ["Position", "Passage", "Relevant", "Score", "Tokens", "Fate", "Text"];
    const rows = candidates.map(([passage, score, tokens, relevant, fate], index) => {
      const [name, text, metadata] = passages.get(passage);
      const full = [...(text === null ? [] : [text]), ...(metadata === null ? [] : [metadata])].join("\n");
      const details = element(
        "details",
        {},
        element("summary", {}, full.slice(0, 60) + (full.length > 60 ? "…" : "")),
      );
      details.addEventListener("toggle", () => details.append(textElement(full)), { once: true });
      return element(
        "tr",
        { class: relevant === 1 ? "relevant" : undefined },
        element("td", { class: "number" }, String(index + 1)),
        element("td", {}, element("bdi", {}, name)),
        element("td", {}, relevant === 1 ? "relevant" : ""),
        element("td", { class: "number" }, score === null ? "—" : String(Number(score.toPrecision(6)))),
        element("td", { class: "number" }, tokens === null ? "—" : String(tokens)),
        element("td", {}, fate),
        element("td", { class: "text" }, full === "" ? "—" : details),
      );
    });
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    return element(
      "div",
      { class: "wide" },
      element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
    );
  }

  /** Paper cannot be opened: what is folded is printed open. */
  function printWhole() {
    const folded = () => document.querySelectorAll("main details:not([open])");
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...folded()];
      for (const details of opened) details.open = true;
    });
    addEventListener("afterprint", () => {
      for (const details of opened) details.open = false;
    });
  }

  async function start() {
    printWhole();
    for (const table of document.querySelectorAll("main .wide > table.whole")) enhanceTable(table);
    const meta = document.getElementById("meta");
    if (meta !== null) {
      try {
        await showCases(JSON.parse(meta.textContent));
      } catch (cause) {
        const status = document.getElementById("case-status");
        status.textContent = `The cases cannot be unpacked here (${cause}); what stands above is complete.`;
        throw cause;
      }
    }
    document.documentElement.dataset.ready = "true";
  }

  start();
})();
