from haystack import Document
from haystack.components.builders import PromptBuilder
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from oloproof import Passage, Retrieval, rag_system

store = InMemoryDocumentStore()
store.write_documents([
    Document(id="refunds", content="Refunds for yearly plans are paid within 14 days."),
    Document(id="seats", content="A team plan has 25 seats."),
    Document(id="trial", content="The trial lasts 30 days."),
])
retriever = InMemoryBM25Retriever(store)
builder = PromptBuilder("{{ context[0].text if context else 'I do not know.' }}", required_variables=["context"])


@rag_system(name="help-desk", version="1", depth=3, top_k=2, index_version="1")
class HelpDesk:
    def retrieve(self, input, depth):
        found = retriever.run(query=input["question"], top_k=depth)["documents"]
        # A document of Haystack as a passage of oloproof.
        passages = [Passage(doc_id=one.id, text=one.content, score=one.score, metadata=one.meta) for one in found]
        return Retrieval(query=input["question"], candidates=passages)

    def generate(self, input, context):
        # Yours: the prompt goes to a generator. This one answers with the best passage.
        answer = builder.run(question=input["question"], context=context)["prompt"]
        return {"answer": answer, "citations": [passage.doc_id for passage in context[:1]]}
