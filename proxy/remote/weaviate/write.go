package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-openapi/strfmt"
	"github.com/google/uuid"
	"github.com/weaviate/weaviate-go-client/v5/weaviate"
	"github.com/weaviate/weaviate-go-client/v5/weaviate/filters"
	"github.com/weaviate/weaviate/entities/models"

	"seam/proxy/remote"
)

// Upsert implements remote.Engine.
func (e *Engine) Upsert(ctx context.Context, chunks []remote.Chunk) error {
	objects := make([]*models.Object, len(chunks))
	for i, c := range chunks {
		var err error
		if objects[i], err = e.object(c); err != nil {
			return err
		}
	}
	level, err := e.consistency(ctx)
	if err != nil {
		return err
	}
	return e.each(ctx, batchWithin, func(ctx context.Context, h *host) error {
		done, err := h.send(ctx, objects, level)
		if err != nil {
			return err
		}
		for _, d := range done {
			if d.Result != nil && d.Result.Errors != nil && len(d.Result.Errors.Error) > 0 {
				// A refused object would be refused again, but the answer does not say
				// whether it was refused.
				return remote.Unavailable(e.address, errors.New(d.Result.Errors.Error[0].Message))
			}
		}
		return nil
	})
}

// send writes objects over gRPC, or with the client if TLS is used.
func (h *host) send(ctx context.Context, objects []*models.Object, level string) ([]models.ObjectsGetResponse, error) {
	if h.batches != nil {
		return h.batches.send(ctx, objects, level)
	}
	c, err := h.open(ctx)
	if err != nil {
		return nil, err
	}
	return c.Batch().ObjectsBatcher().WithObjects(objects...).WithConsistencyLevel(level).Do(ctx)
}

// object returns a chunk as an object of the class.
func (e *Engine) object(c remote.Chunk) (*models.Object, error) {
	bare := c.Record
	bare.Text = ""
	record, err := json.Marshal(bare)
	if err != nil {
		return nil, err
	}
	first, last := c.Span()
	o := &models.Object{Class: e.class, ID: strfmt.UUID(c.ID.String()), Properties: map[string]any{
		"text": c.Text, "titles": strings.TrimSpace(c.Title + " " + c.Section), "file": remote.Printable(c.File), "facets": append([]string{}, c.Facets()...),
		"section": remote.Printable(strings.ToLower(c.Section)), "start": c.Start, "pageFirst": first, "pageLast": last, "digest": c.Digest, "record": string(record)}}
	if !remote.Zero(c.Vector) {
		o.Vector = c.Vector
	}
	return o, nil
}

// Remove implements remote.Engine.
func (e *Engine) Remove(ctx context.Context, ids []uuid.UUID) error {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = id.String()
	}
	return e.delete(ctx, filters.Where().WithPath([]string{"id"}).WithOperator(filters.ContainsAny).WithValueText(all...))
}

// Delete implements remote.Engine.
func (e *Engine) Delete(ctx context.Context, file string) error { return e.delete(ctx, ofFile(file)) }

// delete deletes the matching objects, in batches of the size that the cluster accepts.
func (e *Engine) delete(ctx context.Context, where *filters.WhereBuilder) error {
	level, err := e.consistency(ctx)
	for err == nil {
		var left int64
		err = e.do(ctx, writeWithin, func(ctx context.Context, c *weaviate.Client) error {
			done, err := c.Batch().ObjectsBatchDeleter().WithClassName(e.class).WithWhere(where).WithConsistencyLevel(level).Do(ctx)
			if err != nil || done.Results == nil {
				return err
			}
			if done.Results.Failed > 0 {
				return remote.Unavailable(e.address, errors.New("some chunks could not be removed"))
			}
			left = done.Results.Matches - done.Results.Successful
			return nil
		})
		if left <= 0 {
			break
		}
	}
	return err
}

func ofFile(file string) *filters.WhereBuilder {
	return filters.Where().WithPath([]string{"file"}).WithOperator(filters.Equal).WithValueText(remote.Printable(file))
}
